-- Ask for reloads without end.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
while true do pcall(sb.reload) end
