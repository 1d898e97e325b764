-- The sums of all chunks that were saved. ARGV: id. Answers chunk, 1 if it is finished, sums, ...
local found, kept = {}, redis.call('HGETALL', sums)
for i = 1, #kept, 2 do
  found[#found + 1] = tonumber(kept[i])
  found[#found + 1] = redis.call('ZSCORE', open, kept[i]) and 0 or 1
  found[#found + 1] = kept[i + 1]
end
return found
