-- Hands out marks whose time has come, held ones whose holder is gone among them.
-- KEYS: work. ARGV: how many at most, us until they may be handed out again. Answers match ids.
local time = now()
local function between(low, high, limit)
  return redis.call('ZRANGEBYSCORE', KEYS[1], low, high, 'LIMIT', 0, limit)
end
local ready = between('-inf', string.format('%d', time), ARGV[1])
if #ready == 0 then ready = between(string.format('(%d', time + LONGEST), '+inf', ARGV[1]) end
for _, match in ipairs(ready) do
  redis.call('ZADD', KEYS[1], mark(HANDED_OUT, time + ARGV[2]), match)
end
return ready
