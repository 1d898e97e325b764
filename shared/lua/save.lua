-- Stores the match-state projection unless a newer one is there: by generation, then by version.
-- An equal one is written again, so that a build which can't read the stored data can mend it.
-- KEYS: state, a hash. ARGV: generation, version, data. Answers 1 if it was written.
local state = KEYS[1]
local generation, version = tonumber(ARGV[1]), tonumber(ARGV[2])

local held = redis.call('HMGET', state, 'generation', 'version')
if held[1] then
  local old_generation, old_version = tonumber(held[1]), tonumber(held[2])
  if old_generation > generation then return 0 end
  if old_generation == generation and old_version > version then return 0 end
end
redis.call('HSET', state, 'generation', ARGV[1], 'version', ARGV[2], 'data', ARGV[3])
return 1
