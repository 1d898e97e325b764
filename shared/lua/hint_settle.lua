-- Answers a hint, or takes it away, if whoever took it under `until` is still at it.
-- KEYS: hint. ARGV: until, answer or '', ms that it is kept. Answers 1 if it was still theirs.
local hint = KEYS[1]
local lost, answer, keep = unpack(ARGV)

local held = redis.call('HMGET', hint, 'until', 'begun')
if held[1] ~= lost or not held[2] then return 0 end
if answer == '' then
  redis.call('DEL', hint)
else
  redis.call('HSET', hint, 'answer', answer)
  redis.call('PEXPIRE', hint, keep)
end
return 1
