-- A row with its place, at one moment. KEYS: rows, places, as in upsert.lua. ARGV: match.
-- Answers {data, place}, or nothing where there is no row.
local rows, places = unpack(KEYS)
local data = redis.call('HGET', rows, ARGV[1])
if not data then return false end
return {data, redis.call('HGET', places, ARGV[1])}
