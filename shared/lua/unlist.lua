-- Takes a row out of a cross-match projection and of all its lists.
-- KEYS as in upsert.lua. ARGV: match.
local rows, places, order = unpack(KEYS)
local held = redis.call('HGET', places, ARGV[1])
if held then
  for _, member in ipairs(cjson.decode(held)[2]) do redis.call('ZREM', order, member) end
end
redis.call('HDEL', rows, ARGV[1])
redis.call('HDEL', places, ARGV[1])
