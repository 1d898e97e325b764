-- Keeps a part of a chunk and gives the chunk back, or holds it for longer.
-- ARGV: id, chunk, token, sums, counts, part, lease in ms, 0 to give it back.
local chunk, token, sum, counted, part, lease = unpack(ARGV, 2)
local no = refused(chunk, token)
if no then return no end

redis.call('HSET', parts, chunk, part)
redis.call('HSET', sums, chunk, sum)
redis.call('HSET', counts, chunk, counted)
-- Whoever brings something has not died of it.
if lease == '0' then
  redis.call('ZADD', open, 0, chunk)
  redis.call('HDEL', tokens, chunk)
  redis.call('HDEL', tries, chunk)
else
  redis.call('ZADD', open, int(now() + lease), chunk)
  redis.call('HSET', tries, chunk, 1)
end
return 'kept'
