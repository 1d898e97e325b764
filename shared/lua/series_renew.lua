-- Holds a chunk for longer, if nobody else has it. ARGV: id, chunk, token, lease in ms.
local chunk, token, lease = unpack(ARGV, 2)
if refused(chunk, token) then return 0 end
redis.call('ZADD', open, int(now() + lease), chunk)
return 1
