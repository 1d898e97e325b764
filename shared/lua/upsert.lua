-- Writes a row of a cross-match projection and puts it into its lists, unless one of a newer schema (of
-- the build that folded it), of a newer version, or from after more erasures of names is there: nobody
-- brings back a name that was read before it was erased.
--
--   KEYS[1] rows    hash: match -> data
--   KEYS[2] places  hash: match -> [version, [member of order, ...], schema, erasures], JSON
--   KEYS[3] order   sorted set, all scores 0: "<list> <created_at, 16 digits> <match>"; so the
--                   order of bytes is the order of a page, and a cursor is a place between members
--
-- ARGV: match, schema, version, erasures, data, place (as in places), members...
-- Answers 'yes', 'behind' (what was read is old: look again), or 'outdated' where only a newer build may write.
local rows, places, order = unpack(KEYS)
local match, schema, version, erasures, data, place = unpack(ARGV)

local old = {0, {}, 0, 0}
local held = redis.call('HGET', places, match)
if held then old = cjson.decode(held) end
if (old[3] or 0) > tonumber(schema) then return 'outdated' end
if old[1] > tonumber(version) or (old[4] or 0) > tonumber(erasures) then return 'behind' end

redis.call('HSET', rows, match, data)
redis.call('HSET', places, match, place)
for _, member in ipairs(old[2]) do redis.call('ZREM', order, member) end
for i = 7, #ARGV do redis.call('ZADD', order, 0, ARGV[i]) end
return 'yes'
