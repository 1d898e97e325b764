-- Hands out marks whose time has come, held ones whose holder is gone among them.
-- KEYS: work. ARGV: how many at most, us until they may be handed out again. Answers match ids.
local time = now()
local ready = redis.call(
  'ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', time), 'LIMIT', 0, ARGV[1])
for _, match in ipairs(ready) do
  redis.call('ZADD', KEYS[1], mark(HANDED_OUT, time + ARGV[2]), match)
end
return ready
