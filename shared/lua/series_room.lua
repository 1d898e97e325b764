-- How many chunks could be taken now. ARGV: id.
if get('status') ~= 'running' then return 0 end
local held = held_at(now())
local free = redis.call('ZCARD', open) - held
return math.max(math.min(free, tonumber(get('at_once')) - held), 0)
