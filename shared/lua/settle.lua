-- Takes a match off the shelf of those that names were erased of, unless some were since.
-- KEYS: erased. ARGV: match, ms since 1970.
local since = redis.call('ZSCORE', KEYS[1], ARGV[1])
if since and tonumber(since) < tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end
