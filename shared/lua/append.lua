-- Appends one command to a match: all of it or nothing.
--
-- A script runs alone but can't be rolled back, so every check comes before the first write. That
-- is XADD: a server without memory refuses it, and once one write is done it refuses no further.
--
-- The keys of a match:
--   KEYS[1] ev      stream: entry 0-<version> with one field `e`, the encoded envelope
--   KEYS[2] meta    hash: head, game, status, tries (see take.lua), epoch:<seat>, erasures, and of what
--                   lies in the archive its place: it stays for ever, so that no id comes twice
--   KEYS[3] cmd     hash: command id -> its record, JSON
--   KEYS[4] seed    string: seed and script, JSON; kept from everybody until the end
--   KEYS[5] people  hash: seat -> name and reference, JSON; may be erased
--   KEYS[6] thoughts  list: how long each built-in bot's move took, and why; kept until the end
--   (      state    hash: the match-state projection, see save.lua)
-- and of its partition:
--   KEYS[7] work    sorted set: match -> mark (see marks.lua)
--   KEYS[8] due     sorted set: match -> when the clock must look at it, ms since 1970
--   KEYS[9] ids     set: every match that there is or was
--   KEYS[10] ended  sorted set: match that is over -> since when, ms since 1970
--   KEYS[11] named  the same of those that names are kept of
--   (       archived  the same of those that lie in the archive, see archive.lua)
--   (       erased  sorted set: match that names were erased of -> when, ms since 1970, see erase.lua)
--
-- ARGV: match, expected version, game, status, command id or '', its record, us until the mark is
-- due, deadline or '', secret or '', the holder's seat or '', its epoch, when it ended or '', the event
-- at the expected version or '', number of epochs, number of people, number of thoughts,
-- (seat, epoch)..., (seat, person or '')..., thoughts..., events...
--
-- Answers {'appended', version, (seat, person)...}, {'repeated', record}, {'conflict', head} or
-- {'revoked', ''}.

local UNPACKED = 1000 -- values at once; Lua's stack holds some thousands

local ev, meta, cmd, seed, people, thoughts, work, due, ids, ended, named = unpack(KEYS)
local match, expected, game, status, command, record, wake, deadline, secret = unpack(ARGV, 1, 9)
local seat, epoch, ended_at, last = unpack(ARGV, 10, 13)
local first_epoch = 17
local first_person = first_epoch + 2 * ARGV[14]
local first_thought = first_person + 2 * ARGV[15]
local first_event = first_thought + ARGV[16]

if seat ~= '' and (redis.call('HGET', meta, 'epoch:' .. seat) or '0') ~= epoch then
  return {'revoked', ''}
end

if command ~= '' then
  local known = redis.call('HGET', cmd, command)
  if known then return {'repeated', known} end
end

local held = redis.call('HMGET', meta, 'head', 'place', 'status')
local head, gone = tonumber(held[1] or 0), held[2] or held[3] == 'removed'
if gone or head ~= tonumber(expected) then
  return {'conflict', string.format('%d', head)}
end

-- A store that went back and on again may have that version otherwise than its caller knows it.
if last ~= '' then
  local entry = redis.call('XREVRANGE', ev, '+', '-', 'COUNT', 1)[1]
  if not entry or entry[2][2] ~= last then return {'conflict', string.format('%d', head)} end
end

local facts = {}
for i = first_epoch, first_person - 1, 2 do
  -- A seat's epoch may have been raised since the caller looked; two holders must not share one.
  local kept = redis.call('HGET', meta, 'epoch:' .. ARGV[i])
  if kept and tonumber(kept) >= tonumber(ARGV[i + 1]) then
    return {'conflict', string.format('%d', head)}
  end
  facts[#facts + 1] = 'epoch:' .. ARGV[i]
  facts[#facts + 1] = ARGV[i + 1]
end

local version = head
for i = first_event, #ARGV do
  version = version + 1
  redis.call('XADD', ev, string.format('0-%d', version), 'e', ARGV[i]) -- tostring gives 1e+15
end
redis.call('HSET', meta, 'head', string.format('%d', version), 'game', game, 'status', status,
  'tries', 0, unpack(facts))
if command ~= '' then redis.call('HSET', cmd, command, record) end
if head == 0 then redis.call('SADD', ids, match) end
if secret ~= '' then redis.call('SET', seed, secret) end
for i = first_person, first_thought - 1, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', people, ARGV[i])
  else
    redis.call('HSET', people, ARGV[i], ARGV[i + 1])
  end
end
for i = first_thought, first_event - 1, UNPACKED do
  redis.call('RPUSH', thoughts, unpack(ARGV, i, math.min(i + UNPACKED, first_event) - 1))
end
if ended_at ~= '' then
  redis.call('ZADD', ended, ended_at, match)
  if redis.call('EXISTS', people) == 1 then redis.call('ZADD', named, ended_at, match) end
end
if deadline == '' then redis.call('ZREM', due, match) else redis.call('ZADD', due, deadline, match) end

-- A mark that nobody knows of yet is brought forward. One that is handed out leads to a task that
-- will see these events too, and a holder compares heads before the mark is removed: both stay.
local wake_at = now() + wake
local standing = redis.call('ZSCORE', work, match)
if not standing or (kind(standing) == WAITING and tonumber(standing) > wake_at) then
  redis.call('ZADD', work, mark(WAITING, wake_at), match)
end
-- Who sits where goes with the answer, which would otherwise need another look.
return {'appended', string.format('%d', version), unpack(redis.call('HGETALL', people))}
