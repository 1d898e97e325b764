-- All of a series at one moment. ARGV: id. Answers {record, how long it ran, open chunks, tries, parts,
-- sums, counts}. A chunk that is held counts as given back: nobody has died of it.
if redis.call('EXISTS', record) == 0 then return false end

local time, tried = now(), redis.call('HGETALL', tries)
for i = 1, #tried, 2 do
  local till = tonumber(redis.call('ZSCORE', open, tried[i]) or 0)
  if ahead(till, time) and redis.call('HEXISTS', tokens, tried[i]) == 1 then
    tried[i + 1] = int(tried[i + 1] - 1)
  end
end
return {
  redis.call('HGETALL', record), int(running_ms(time)), redis.call('ZRANGE', open, 0, -1), tried,
  redis.call('HGETALL', parts), redis.call('HGETALL', sums), redis.call('HGETALL', counts),
}
