-- A gsub callback that is a C function with much to do.
-- Phases: load, update, coroutine, reload.
local s = ("x"):rep(1000000)
while true do s:gsub(".", string.upper) end
