-- Names matches whose deadline has passed, and looks away from them for a while: acting on a match
-- sets its next deadline, so what is seen again was lost on the way, or could not be acted on.
-- KEYS: due. ARGV: ms since 1970, how many at most, ms for which they are not named again.
local now, limit, lease = unpack(ARGV)
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, limit)
for _, match in ipairs(found) do
  redis.call('ZADD', KEYS[1], string.format('%d', now + lease), match)
end
return found
