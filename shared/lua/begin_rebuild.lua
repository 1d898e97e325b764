-- Opens a generation above all that were ever begun. KEYS: generations, a hash. Answers it.
local held = redis.call('HMGET', KEYS[1], 'current', 'building')
local generation = math.max(tonumber(held[1] or 1), tonumber(held[2] or 0)) + 1
redis.call('HSET', KEYS[1], 'building', generation)
return generation
