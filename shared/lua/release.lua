-- Gives a mark back, if it is still held under the score `token`. It is removed only if the match
-- is done up to its head; an append since the holder looked keeps it.
-- KEYS: work, meta. ARGV: match, token, version done or '', us until it is due otherwise.
-- Answers 1 if it was removed.
local work, meta = unpack(KEYS)
local match, token, done, delay = unpack(ARGV)

local standing = redis.call('ZSCORE', work, match)
if not standing or tonumber(standing) ~= tonumber(token) then return 0 end

redis.call('HDEL', meta, 'tries') -- whoever gives a mark back has not died of it
local held = redis.call('HMGET', meta, 'head', 'status')
-- Of a match that was removed nothing is left to do, whatever asked for it.
if tonumber(done) == tonumber(held[1] or 0) or held[2] == 'removed' then
  redis.call('ZREM', work, match)
  return 1
end
redis.call('ZADD', work, mark(WAITING, now() + delay), match)
return 0
