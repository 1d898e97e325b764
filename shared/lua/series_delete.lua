-- Forgets a series; answers whether it was there. ARGV: id.
local status = get('status')
if not status then return 0 end
if not is_over(status) then forget_live() end
redis.call('ZREM', active, place())
redis.call('ZREM', listed, get('owner') .. ' ' .. place())
redis.call('ZADD', deleted, int(now()), id .. ' ' .. get('born'))
redis.call('DEL', record, open, tokens, tries, parts, sums, counts)
return 1
