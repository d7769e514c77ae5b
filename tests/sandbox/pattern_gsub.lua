-- gsub of an empty pattern on a long string, in a loop.
-- Phases: load, update, coroutine, reload.
local s = ("x"):rep(4000000)
while true do s:gsub("", "") end
