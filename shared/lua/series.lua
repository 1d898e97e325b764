-- Series. Every script about one is given all of its keys, and those that all series share:
--   KEYS[1] record  hash: owner, body, spec, chunks, at_once, created, status; born, the server's
--                   time in us when it was stored; token, the last one given out, which began there,
--                   so that none comes again in a series of the same id; started, ended, and since
--                   when it runs, ms, '' where it does not; ran, ms up to then
--   KEYS[2] open    sorted set: chunk that is not finished -> until when it is held, ms; 0 is free
--   KEYS[3] tokens  hash: held chunk -> the token of its lease
--   KEYS[4] tries   hash: chunk -> takes since it was saved last
--   KEYS[5] parts   hash: chunk that is not finished -> what it was saved with
--   KEYS[6] sums    hash: chunk -> its sums
--   KEYS[7] counts  hash: chunk -> '<done> <failed> <moves>'
--   KEYS[8] active  sorted set, all scores 0: '<created> <id>' of what runs
--   KEYS[9] live    hash: owner -> how many of its series are not over
--   KEYS[10] listed  sorted set, all scores 0: '<owner> <created> <id>'
--   KEYS[11] deleted sorted set: '<id> <born>' -> when it was deleted, ms
-- ARGV[1] is the series' id.

local record, open, tokens, tries, parts, sums, counts, active, live, listed, deleted =
  unpack(KEYS)
local id = ARGV[1]

local function now_us()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local function now() return math.floor(now_us() / 1000) end

local function int(n) return string.format('%d', n) end

-- Whether a chunk is held, or rests. Further ahead than that, it was by a clock set back since.
local LONGEST = 600000 -- as in clocks.py

local function ahead(till, time) return till > time and till <= time + LONGEST end

local function held_at(time)
  return redis.call('ZCOUNT', open, '(' .. int(time), int(time + LONGEST))
end

local function get(name) return redis.call('HGET', record, name) end

local function place() return string.format('%016d %s', get('created'), id) end

local function running_ms(time)
  local since = get('since')
  return tonumber(get('ran')) + (since == '' and 0 or math.max(time - tonumber(since), 0))
end

local function stop_clock(time)
  redis.call('HSET', record, 'ran', int(running_ms(time)), 'since', '')
end

local function forget_live()
  local owner = get('owner')
  if redis.call('HINCRBY', live, owner, -1) == 0 then redis.call('HDEL', live, owner) end
end

local function is_over(status) return status == 'cancelled' or status == 'done' end

local function change(status)
  local time = now()
  if status ~= 'running' then
    stop_clock(time)
    redis.call('ZREM', active, place())
  else
    redis.call('ZADD', active, 0, place())
  end
  if is_over(status) then
    redis.call('HSET', record, 'ended', int(time))
    redis.call('DEL', tokens) -- whoever holds a chunk has lost it
    forget_live()
  end
  redis.call('HSET', record, 'status', status)
end

-- What the adapter reads a record from; false where there is none.
local function look()
  if redis.call('EXISTS', record) == 0 then return false end
  local time = now()
  local found = redis.call('HMGET', record,
    'owner', 'body', 'spec', 'status', 'created', 'started', 'ended', 'born')
  found[#found + 1] = int(running_ms(time))
  found[#found + 1] = is_over(found[4]) and 0 or held_at(time)
  found[#found + 1] = redis.call('HVALS', counts)
  return found
end

-- Why what the holder of a chunk brings is refused; nil where it is welcome.
local function refused(chunk, token)
  if redis.call('EXISTS', record) == 0 then return 'gone' end
  if redis.call('HGET', tokens, chunk) ~= token then return 'lost' end
  return nil
end
