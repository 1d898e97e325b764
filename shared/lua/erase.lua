-- Forgets people, each at a seat where it still is that one: whoever sat down meanwhile stays. The count
-- makes sure that no list is written again from what was read before: see upsert.lua.
-- KEYS: meta, people, named, erased. ARGV: match, (seat, person)...
-- Answers the seats that were somebody's.
local meta, people, named, erased = unpack(KEYS)
local seats = {}
for i = 2, #ARGV, 2 do
  if redis.call('HGET', people, ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', people, ARGV[i])
    seats[#seats + 1] = ARGV[i]
  end
end
if #seats > 0 then
  redis.call('HINCRBY', meta, 'erasures', 1)
  redis.call('ZADD', erased, math.floor(now() / 1000), ARGV[1])
end
if redis.call('EXISTS', people) == 0 then redis.call('ZREM', named, ARGV[1]) end
return seats
