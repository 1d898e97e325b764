-- A series as it stands. ARGV: id.
return look()
