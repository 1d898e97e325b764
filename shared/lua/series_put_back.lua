-- Stores a whole series where it is not. ARGV: id, owner, body, spec, chunks, at_once, created, status,
-- born, started or '', ended or '', ran, number of open chunks, of tries, of parts, of sums, of counts,
-- open..., (chunk, tries)..., (chunk, part)..., (chunk, sums)..., (chunk, counts)...
-- Answers 1 if it was stored.
local owner, body, spec, chunks, at_once, created, status, born, started, ended, ran = unpack(ARGV, 2, 12)

if redis.call('EXISTS', record) == 1 then return 0 end
if redis.call('ZSCORE', deleted, id .. ' ' .. born) then return 0 end

-- Leases that were given out since it was taken out of a store must not be good here.
local token = int(math.max(now_us(), tonumber(born)))
redis.call('HSET', record, 'owner', owner, 'body', body, 'spec', spec, 'chunks', chunks,
  'at_once', at_once, 'created', created, 'status', status, 'born', born, 'token', token, 'ran', ran,
  'since', '', 'started', started, 'ended', ended)
local at = 18
for i = at, at + ARGV[13] - 1 do redis.call('ZADD', open, 0, ARGV[i]) end
at = at + ARGV[13]
for i, key in ipairs({tries, parts, sums, counts}) do
  local beyond = at + 2 * ARGV[13 + i]
  for pair = at, beyond - 1, 2 do redis.call('HSET', key, ARGV[pair], ARGV[pair + 1]) end
  at = beyond
end
if status == 'running' then redis.call('ZADD', active, 0, place()) end
if not is_over(status) then redis.call('HINCRBY', live, owner, 1) end
redis.call('ZADD', listed, 0, owner .. ' ' .. place())
return 1
