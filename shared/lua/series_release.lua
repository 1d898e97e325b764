-- Gives a chunk back as it was taken. ARGV: id, chunk, token, for how long nobody gets it, ms.
local chunk, token, rest = unpack(ARGV, 2)
if refused(chunk, token) then return 0 end
redis.call('ZADD', open, rest == '0' and 0 or int(now() + rest), chunk)
redis.call('HDEL', tokens, chunk)
redis.call('HINCRBY', tries, chunk, -1)
return 1
