-- Holds a mark for longer, if it is still held under the score `token`.
-- KEYS: work. ARGV: match, token, lease in us. Answers the new score.
local work = KEYS[1]
local match, token, lease = unpack(ARGV)

local standing = redis.call('ZSCORE', work, match)
if not standing or tonumber(standing) ~= tonumber(token) then return false end

local held = mark(HELD, now() + lease)
redis.call('ZADD', work, held, match)
return held
