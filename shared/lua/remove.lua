-- Drops a match for good. Its head stays, with a status that says so: no id ever comes twice.
-- KEYS as in append.lua, then archived, state, erased. ARGV: match.
-- Answers 1 if it was dropped.
local ev, meta, cmd, seed, people, thoughts, work, due, _, ended, named, archived, state, erased =
  unpack(KEYS)
local match = ARGV[1]

local held = redis.call('HMGET', meta, 'head', 'status', 'game')
if held[2] ~= 'ended' or redis.call('ZSCORE', work, match) then return 0 end

if redis.call('EXISTS', people) == 1 then
  redis.call('ZADD', erased, math.floor(now() / 1000), match)
end
redis.call('UNLINK', meta, ev, cmd, seed, people, thoughts, state)
redis.call('HSET', meta, 'head', held[1], 'status', 'removed', 'game', held[3])
for _, shelf in ipairs({due, ended, named, archived}) do redis.call('ZREM', shelf, match) end
return 1
