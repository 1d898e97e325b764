-- Keeps the sums of a whole chunk, once; with the last one the series is done.
-- ARGV: id, chunk, token, sums, counts.
local chunk, token, sum, counted = unpack(ARGV, 2)
local no = refused(chunk, token)
if no then return no end

redis.call('HSET', sums, chunk, sum)
redis.call('HSET', counts, chunk, counted)
redis.call('ZREM', open, chunk)
redis.call('HDEL', tokens, chunk)
redis.call('HDEL', tries, chunk)
redis.call('HDEL', parts, chunk)
if redis.call('ZCARD', open) == 0 then change('done') end
return 'kept'
