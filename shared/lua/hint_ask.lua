-- Asks for a hint, unless it is there from this level, or on its way, or the seat waits for another.
--
--   KEYS[1] hint  hash, kept for a while: version, epoch and level as asked for; until, a time of the
--                 server in microseconds, when its task counts as lost; begun, while a worker is at
--                 it, who knows it by that very time; answer, JSON, once it is there
--
-- ARGV: version, epoch, level, us until its task counts as lost, ms that it is kept.
-- Answers {'kept', level, answer or ''}, {'busy', '', ''}, or {'sent', level, ''}: send its task.
local hint = KEYS[1]
local version, epoch, level, lease, keep = unpack(ARGV)

local time = now()
local held = redis.call('HMGET', hint, 'version', 'epoch', 'level', 'answer', 'until')
if held[2] == epoch then
  local waited_for = not held[4] and ahead(held[5], time)
  local there = held[4] and held[3] == level
  if held[1] == version and (there or waited_for) then return {'kept', held[3], held[4] or ''} end
  if waited_for then return {'busy', '', ''} end
end

redis.call('DEL', hint)
redis.call('HSET', hint, 'version', version, 'epoch', epoch, 'level', level,
  'until', string.format('%d', time + lease))
redis.call('PEXPIRE', hint, keep)
return {'sent', level, ''}
