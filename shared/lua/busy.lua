-- One look at a partition. KEYS: work, due. ARGV: ms since 1970.
-- Answers {for how many us the first mark has been ready, negative where none is; 1 if a match is
-- overdue, else 0}.
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local age = -1
if first[2] then
  local time = now()
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
  age = time - tonumber(first[2])
  if age < 0 and not ahead(last[2], time) then age = 0 end
end
return {age, #redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, 1)}
