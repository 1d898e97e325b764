-- Stores a series unless it is there; answers it. ARGV: id, limit, owner, body, spec, chunks,
-- at_once, created. Answers 0 where the owner has `limit` series that are not over.
local limit, owner, body, spec, chunks, at_once, created = unpack(ARGV, 2)

if redis.call('EXISTS', record) == 1 then return look() end
if tonumber(redis.call('HGET', live, owner) or 0) >= tonumber(limit) then return 0 end

local born = int(now_us())
redis.call('HSET', record, 'owner', owner, 'body', body, 'spec', spec, 'chunks', chunks,
  'at_once', at_once, 'created', created, 'status', 'running', 'born', born, 'token', born, 'ran', 0,
  'since', '', 'started', '', 'ended', '')
for chunk = 0, chunks - 1 do redis.call('ZADD', open, 0, int(chunk)) end
redis.call('ZADD', active, 0, place())
redis.call('HINCRBY', live, owner, 1)
redis.call('ZADD', listed, 0, owner .. ' ' .. place())
return look()
