-- Holds a mark, unless there is none or another holder's time is not over.
-- KEYS: work, meta. ARGV: match, lease in us.
-- Answers {score, tries}: the takes since the mark was last given back or the match appended to.
local work, meta = unpack(KEYS)
local match, lease = unpack(ARGV)

local standing = redis.call('ZSCORE', work, match)
if not standing then return false end
local time = now()
if kind(standing) == HELD and ahead(standing, time) then return false end

local held = mark(HELD, time + lease)
redis.call('ZADD', work, held, match)
return {held, redis.call('HINCRBY', meta, 'tries', 1)}
