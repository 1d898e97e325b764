-- Stores a whole match where it is not, or takes it back from the archive: see append.lua.
-- KEYS as in append.lua, then archived. ARGV: match, head, game, status, place or '', seed or '',
-- deadline or '', when it ended or '', erasures, number of epochs, of people, of commands, of
-- thoughts, (seat, epoch)..., (seat, person)..., (id, record)..., thoughts..., events...
-- Answers 1 if it was stored.
local UNPACKED = 1000 -- values at once; Lua's stack holds some thousands

local ev, meta, cmd, seed, people, thoughts, work, due, ids, ended, named, archived = unpack(KEYS)
local match, head, game, status, place, secret, deadline, ended_at, erasures = unpack(ARGV, 1, 9)
local first_epoch = 14
local first_person = first_epoch + 2 * ARGV[10]
local first_command = first_person + 2 * ARGV[11]
local first_thought = first_command + 2 * ARGV[12]
local first_event = first_thought + ARGV[13]

local held = redis.call('HMGET', meta, 'head', 'place', 'status')
local known = held[1]
if known and (place ~= '' or not held[2] or held[3] == 'removed' or known ~= head) then return 0 end

for i = first_event, #ARGV do
  redis.call('XADD', ev, string.format('0-%d', i - first_event + 1), 'e', ARGV[i])
end
local function all(command, key, first, beyond)
  for i = first, beyond - 1, UNPACKED do
    redis.call(command, key, unpack(ARGV, i, math.min(i + UNPACKED, beyond) - 1))
  end
end
all('HSET', cmd, first_command, first_thought)
all('RPUSH', thoughts, first_thought, first_event)
if secret ~= '' then redis.call('SET', seed, secret) end

if known then
  redis.call('HDEL', meta, 'place')
else
  redis.call('HSET', meta, 'head', head, 'game', game, 'status', status)
  if place ~= '' then redis.call('HSET', meta, 'place', place) end
  if erasures ~= '0' then redis.call('HSET', meta, 'erasures', erasures) end
  for i = first_epoch, first_person - 1, 2 do
    redis.call('HSET', meta, 'epoch:' .. ARGV[i], ARGV[i + 1])
  end
  all('HSET', people, first_person, first_command)
  redis.call('SADD', ids, match)
  if deadline ~= '' then redis.call('ZADD', due, deadline, match) end
end

if ended_at ~= '' then
  if place ~= '' then
    redis.call('ZADD', archived, ended_at, match)
  else
    redis.call('ZREM', archived, match)
    redis.call('ZADD', ended, ended_at, match)
  end
  -- Names are as old as they were: they don't get younger by coming back.
  if redis.call('EXISTS', people) == 1 then redis.call('ZADD', named, 'NX', ended_at, match) end
end
if status ~= 'removed' then redis.call('ZADD', work, mark(WAITING, now()), match) end
return 1
