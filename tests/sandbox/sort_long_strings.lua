-- Sort strings of megabytes that differ at their ends.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 20 do t[i] = ("x"):rep(4000000) .. i end
while true do table.sort(t) end
