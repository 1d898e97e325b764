-- One look at a partition. KEYS: work, due. ARGV: ms since 1970.
-- Answers {for how many us the first mark has been ready, negative where none is; 1 if a match is
-- overdue, else 0}.
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local age = -1
if first[2] then age = now() - tonumber(first[2]) end
return {age, #redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, 1)}
