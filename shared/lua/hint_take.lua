-- Begins to think a hint, if it is still wanted and nobody is at it. See hint_ask.lua.
-- KEYS: hint. ARGV: version, lease in us. Answers {until, epoch, level}.
local hint = KEYS[1]
local version, lease = unpack(ARGV)

local time = now()
local held = redis.call('HMGET', hint, 'version', 'epoch', 'level', 'answer', 'until', 'begun')
if held[1] ~= version or held[4] then return false end
if held[6] and ahead(held[5], time) then return false end

local lost = string.format('%d', time + lease)
redis.call('HSET', hint, 'until', lost, 'begun', 1)
return {lost, held[2], held[3]}
