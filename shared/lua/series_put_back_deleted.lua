-- Remembers a series as deleted just now, unless it is here. ARGV: id, born.
local born = ARGV[2]
if get('born') ~= born then redis.call('ZADD', deleted, 'NX', int(now()), id .. ' ' .. born) end
return 1
