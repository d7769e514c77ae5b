-- A pattern that takes exponential time.
-- Phases: load, update, coroutine, reload.
local s = ("a"):rep(40)
while true do s:find(("a-"):rep(30) .. "b") end
