-- string.format with wide fields, long texts and many values.
-- Phases: load, update, coroutine, reload.
pcall(string.format, "%99999d", 1)
pcall(string.format, "%.99999f", 1)
local long = ("\0"):rep(8000000)
local many = {}
for i = 1, 90000 do many[i] = 1e308 end
while true do
  pcall(string.format, "%q", long)
  pcall(string.format, ("%99.99f"):rep(90000), table.unpack(many))
  pcall(string.format, ("%%"):rep(4000000))
end
