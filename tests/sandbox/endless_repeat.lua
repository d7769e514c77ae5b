-- A loop whose condition never holds, with work in it.
-- Phases: load, update, coroutine, reload.
local n = 0
repeat n = n + math.sin(n) until n == math.huge
