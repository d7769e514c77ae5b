-- Recursion without end, through C.
-- Phases: load, update, coroutine, reload.
local function f() return (("x"):gsub(".", f)) end
while true do pcall(f) end
