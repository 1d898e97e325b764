-- Gives a chunk back as it was taken. ARGV: id, chunk, token.
local chunk, token = unpack(ARGV, 2)
if refused(chunk, token) then return 0 end
redis.call('ZADD', open, 0, chunk)
redis.call('HDEL', tokens, chunk)
redis.call('HINCRBY', tries, chunk, -1)
return 1
