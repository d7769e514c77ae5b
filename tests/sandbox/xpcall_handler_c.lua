-- A C function with much to do as message handler.
-- Phases: load, update, coroutine, reload.
local big = ("a"):rep(1000)
while true do xpcall(error, string.rep, big, 1000) end
