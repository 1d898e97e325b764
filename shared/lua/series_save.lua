-- Keeps a part of a chunk and gives the chunk back.
-- ARGV: id, chunk, token, sums, counts, part, '1' if it got on.
local chunk, token, sum, counted, part, got_on = unpack(ARGV, 2)
local no = refused(chunk, token)
if no then return no end

redis.call('HSET', parts, chunk, part)
redis.call('HSET', sums, chunk, sum)
redis.call('HSET', counts, chunk, counted)
redis.call('ZADD', open, 0, chunk)
redis.call('HDEL', tokens, chunk)
if got_on == '1' then redis.call('HDEL', tries, chunk) end
return 'kept'
