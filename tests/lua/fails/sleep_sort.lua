-- Lua cannot pause inside a C function, and reports it.
-- fails: attempt to yield across a C-call boundary
local sb = require "sandbell"
sb.go(function() table.sort({ 3, 2, 1 }, function() sb.sleep(0.1) end) end)
