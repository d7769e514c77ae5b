-- load within load within load.
-- Phases: load, update, coroutine, reload.
local function again(n) return load("return ...")(again(n + 1)) end
while true do pcall(again, 1) end
