-- Sort a million numbers again and again.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 1000000 do t[i] = (i * 7919) % 1000003 end
while true do table.sort(t) table.sort(t, function(a, b) return a > b end) end
