-- A string that doubles.
-- Phases: load, update, coroutine, reload.
local s = "x"
while true do s = s .. s end
