-- Makes the generation that is being built the current one. KEYS: generations. ARGV: generation.
-- Answers 0 if another one is being built.
if redis.call('HGET', KEYS[1], 'building') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'current', ARGV[1])
redis.call('HDEL', KEYS[1], 'building')
return 1
