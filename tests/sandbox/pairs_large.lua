-- pairs of a million names, which it puts in order.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 300000 do t["k" .. i * 7919 % 1000003] = i end
while true do for _ in pairs(t) do break end end
