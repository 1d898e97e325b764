-- Makes every token of a seat void. KEYS: meta. ARGV: field of the epoch.
-- Answers the new epoch, or nothing where there is no such match, or it was removed.
local held = redis.call('HMGET', KEYS[1], 'head', 'status')
if not held[1] or held[2] == 'removed' then return false end
return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
