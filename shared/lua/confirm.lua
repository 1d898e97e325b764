-- Writes a field of a hash again as it is. WAIT waits for the last write of its own connection: what
-- was written over another one, maybe by another process, has to be written over this one first.
-- KEYS: a hash. ARGV: field, the value that was seen. Answers 0 if it has that value no more.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
