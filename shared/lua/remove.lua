-- Drops a match for good. Its head stays, with a status that says so: no id ever comes twice. It stays on
-- its shelf, with its place, until its rows and files are gone, too: see forget.lua. And on the one of
-- erased names, so that a row which somebody is just writing is found later.
-- KEYS as in append.lua, then archived, state, erased. ARGV: match.
-- Answers 1 if it is dropped, by now or before.
local ev, meta, cmd, seed, people, thoughts, work, due, _, _, named, _, state, erased = unpack(KEYS)
local match = ARGV[1]

local head, status, game, place = unpack(redis.call('HMGET', meta, 'head', 'status', 'game', 'place'))
if status ~= 'removed' then
  if status ~= 'ended' or redis.call('ZSCORE', work, match) then return 0 end
  redis.call('ZADD', erased, math.floor(now() / 1000), match)
  redis.call('UNLINK', meta, ev, cmd, seed, people, thoughts, state)
  redis.call('ZREM', due, match)
  redis.call('ZREM', named, match)
end
redis.call('HSET', meta, 'head', head, 'status', 'removed', 'game', game)
if place then redis.call('HSET', meta, 'place', place) end
return 1
