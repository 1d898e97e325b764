-- Writes a row of a cross-match projection and puts it into its lists, unless a newer one is there.
--
--   KEYS[1] rows    hash: match -> data
--   KEYS[2] places  hash: match -> [version, [member of order, ...]], JSON
--   KEYS[3] order   sorted set, all scores 0: "<list> <created_at, 16 digits> <match>"; so the
--                   order of bytes is the order of a page, and a cursor is a place between members
--
-- ARGV: match, version, data, place (as in places), members... Answers 1 if it was written.
local rows, places, order = unpack(KEYS)
local match, version, data, place = unpack(ARGV)

local old = {0, {}}
local held = redis.call('HGET', places, match)
if held then old = cjson.decode(held) end
if old[1] > tonumber(version) then return 0 end

redis.call('HSET', rows, match, data)
redis.call('HSET', places, match, place)
for _, member in ipairs(old[2]) do redis.call('ZREM', order, member) end
for i = 5, #ARGV do redis.call('ZADD', order, 0, ARGV[i]) end
return 1
