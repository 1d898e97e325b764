-- How many chunks could be taken now. ARGV: id.
if get('status') ~= 'running' then return 0 end
local time = int(now())
local held = redis.call('ZCOUNT', open, '(' .. time, '+inf')
local free = redis.call('ZCOUNT', open, '-inf', time)
return math.max(math.min(free, tonumber(get('at_once')) - held), 0)
