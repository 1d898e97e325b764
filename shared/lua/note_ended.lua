-- Puts a match that is over on its shelves, unless it stands there: see append.lua.
-- KEYS: meta, people, ended, named. ARGV: match, when it ended.
local meta, people, ended, named = unpack(KEYS)
local match, at = unpack(ARGV)

local held = redis.call('HMGET', meta, 'status', 'place')
if held[1] ~= 'ended' or held[2] then return end
redis.call('ZADD', ended, 'NX', at, match)
if redis.call('EXISTS', people) == 1 then redis.call('ZADD', named, 'NX', at, match) end
