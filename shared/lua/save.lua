-- Stores the match-state projection unless one of a newer generation is there, or in the same one a
-- newer schema (of the build that folded it) or a newer version: neither ever goes back. An equal one
-- is written again, so that a build which can't read the stored data can mend it.
-- What lies in the archive is folded from there, and what is removed not at all: neither has one.
-- KEYS: state, a hash; meta. ARGV: generation, schema, version, data.
-- Answers 'yes', 'behind', or 'outdated' where only a newer build may write.
local state, meta = unpack(KEYS)
local generation, schema, version = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local gone = redis.call('HMGET', meta, 'place', 'status')
if gone[1] or gone[2] == 'removed' then return 'yes' end

local held = redis.call('HMGET', state, 'generation', 'schema', 'version')
if held[1] then
  local old_generation, old_schema, old_version =
    tonumber(held[1]), tonumber(held[2] or 0), tonumber(held[3])
  if old_generation > generation then return 'behind' end
  if old_generation == generation then
    if old_schema > schema then return 'outdated' end
    if old_version > version then return 'behind' end
  end
end
redis.call('HSET', state,
  'generation', ARGV[1], 'schema', ARGV[2], 'version', ARGV[3], 'data', ARGV[4])
return 'yes'
