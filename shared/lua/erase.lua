-- Forgets who sat at some seats. The count makes sure that no list is written again from what was read
-- before: see upsert.lua. KEYS: meta, people, named. ARGV: match, seats...
-- Answers the seats of which anything was known.
local meta, people, named = unpack(KEYS)
local erased = {}
for i = 2, #ARGV do
  if redis.call('HDEL', people, ARGV[i]) == 1 then erased[#erased + 1] = ARGV[i] end
end
if #erased > 0 then redis.call('HINCRBY', meta, 'erasures', 1) end
if redis.call('EXISTS', people) == 0 then redis.call('ZREM', named, ARGV[1]) end
return erased
