-- Lists of modes that are too long.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
local list = {}
for i = 1, 100000 do list[i] = { 100 + i, 1 } end
pcall(sb.modes, list)
for i = 4097, 100000 do list[i] = nil end
while true do pcall(sb.modes, list) end
