-- Keeps a part of a chunk and gives the chunk back.
-- ARGV: id, chunk, token, sums, counts, part.
local chunk, token, sum, counted, part = unpack(ARGV, 2)
local no = refused(chunk, token)
if no then return no end

redis.call('HSET', parts, chunk, part)
redis.call('HSET', sums, chunk, sum)
redis.call('HSET', counts, chunk, counted)
redis.call('ZADD', open, 0, chunk)
redis.call('HDEL', tokens, chunk)
redis.call('HDEL', tries, chunk) -- whoever brings something has not died of it
return 'kept'
