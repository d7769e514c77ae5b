-- A million timers.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
for _ = 1, 1000000 do sb.after(0.01, function() end) end
