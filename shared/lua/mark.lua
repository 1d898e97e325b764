-- Makes sure that a match has a mark. KEYS: work. ARGV: match, us until it is due.
redis.call('ZADD', KEYS[1], 'NX', mark(WAITING, now() + ARGV[2]), ARGV[1])
