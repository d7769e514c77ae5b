-- table.concat of more than there is memory for.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 1000 do t[i] = ("x"):rep(100000) end
while true do pcall(table.concat, t, ("y"):rep(100000)) end
