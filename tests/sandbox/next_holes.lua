-- next over a table with a million holes, from the start each time.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 1000000 do t[i] = true end
for i = 1, 999999 do t[i] = nil end
while true do next(t) end
