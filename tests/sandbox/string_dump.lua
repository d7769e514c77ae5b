-- string.dump, and bytecode through load.
-- Phases: load, update, coroutine, reload.
local dump = string.dump or ("").dump
if dump then print "escaped" end
local f = load("\27Lua\x54\0\x19\x93\r\n\x1a\n\4\8\8xV\0\0\0", "=b", "b")
if f then print "escaped" end
while true do load("\27Lua" .. ("\0"):rep(100), "=b", "bt") end
