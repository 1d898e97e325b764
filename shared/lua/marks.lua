-- A work mark says: this match needs work. It is a member of the partition's `work`. Its score is a
-- time of the server in microseconds, whose remainder by 4 says what the mark is until then:
--   0 waiting     nobody knows of it; from then on it may be handed out
--   1 held        a worker is at it; only who knows this score may renew or release it
--   2 handed out  a task with it is on its way; whoever comes first may take it
-- When the time has come, any mark may be handed out or taken. What is further ahead than any mark
-- is ever set comes from a clock that has been set back since: its time has come, too.

local WAITING, HELD, HANDED_OUT = 0, 1, 2
local LONGEST = 600 * 1000000 -- as in clocks.py

local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local function kind(score)
  return tonumber(score) % 4
end

local function ahead(score, time)
  return tonumber(score) > time and tonumber(score) <= time + LONGEST
end

local function mark(what, at)
  return string.format('%d', at - at % 4 + what)
end
