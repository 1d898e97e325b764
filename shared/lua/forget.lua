-- Takes a match that was removed off its shelf: nothing of it is left anywhere else.
-- KEYS: meta, ended, archived. ARGV: match.
local meta, ended, archived = unpack(KEYS)
if redis.call('HGET', meta, 'status') ~= 'removed' then return end
redis.call('HDEL', meta, 'place')
redis.call('ZREM', ended, ARGV[1])
redis.call('ZREM', archived, ARGV[1])
