-- Timers that make timers.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
local function breed() sb.after(0, breed) sb.after(0, breed) end
breed()
