-- Drops what lies in the archive. What stays in `meta` is the tombstone: head, game, status, epochs,
-- erasures, and the place. KEYS as in append.lua, then archived, state. ARGV: match, head, place.
-- Answers 1 if it was dropped.
local ev, meta, cmd, seed, _, thoughts, work, due, _, ended, _, archived, state = unpack(KEYS)
local match, head, place = unpack(ARGV)

local held = redis.call('HMGET', meta, 'head', 'status', 'place')
if held[1] ~= head or held[2] ~= 'ended' or held[3] then return 0 end
if redis.call('ZSCORE', work, match) then return 0 end -- somebody folds or shows it just now

redis.call('HSET', meta, 'place', place)
redis.call('ZADD', archived, redis.call('ZSCORE', ended, match) or 0, match)
redis.call('ZREM', ended, match)
redis.call('ZREM', due, match)
redis.call('UNLINK', ev, cmd, seed, thoughts, state)
return 1
