-- Coroutines that sleep no time at all.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
for _ = 1, 100 do sb.go(function() while true do sb.sleep(0) end end) end
