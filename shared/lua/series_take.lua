-- Holds the lowest free chunk. ARGV: id, lease in ms. Answers {born, chunk, token, tries, part or
-- nil}, or nil where there is none to be had.
if get('status') ~= 'running' then return false end

local time, held, lowest = now(), 0, nil
local standing = redis.call('ZRANGE', open, 0, -1, 'WITHSCORES')
for i = 1, #standing, 2 do
  local chunk = tonumber(standing[i])
  if ahead(tonumber(standing[i + 1]), time) then
    held = held + 1
  elseif not lowest or chunk < lowest then
    lowest = chunk
  end
end
if not lowest or held >= tonumber(get('at_once')) then return false end

local chunk, token = int(lowest), redis.call('HINCRBY', record, 'token', 1)
redis.call('ZADD', open, int(time + ARGV[2]), chunk)
redis.call('HSET', tokens, chunk, int(token))
if get('since') == '' then redis.call('HSET', record, 'since', int(time)) end
if get('started') == '' then redis.call('HSET', record, 'started', int(time)) end
local tried = redis.call('HINCRBY', tries, chunk, 1)
return {get('born'), lowest, token, tried, redis.call('HGET', parts, chunk)}
