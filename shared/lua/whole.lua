-- All of a match at one moment. KEYS as in append.lua. ARGV: match.
-- Answers {meta, events, commands, seed, people, thoughts, due, since when it is over}.
local ev, meta, cmd, seed, people, thoughts, _, due, _, ended, _, archived = unpack(KEYS)
local match = ARGV[1]

local events = {}
for i, entry in ipairs(redis.call('XRANGE', ev, '-', '+')) do events[i] = entry[2][2] end
return {
  redis.call('HGETALL', meta), events, redis.call('HGETALL', cmd), redis.call('GET', seed),
  redis.call('HGETALL', people), redis.call('LRANGE', thoughts, 0, -1),
  redis.call('ZSCORE', due, match),
  redis.call('ZSCORE', ended, match) or redis.call('ZSCORE', archived, match),
}
