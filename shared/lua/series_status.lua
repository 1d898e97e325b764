-- Changes the status where it is one of some; answers the series as it is then.
-- ARGV: id, the new status, the old ones...
local status = get('status')
for i = 3, #ARGV do
  if status == ARGV[i] then
    change(ARGV[2])
    break
  end
end
return look()
