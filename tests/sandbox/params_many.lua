-- Hundreds of thousands of params.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
for i = 1, 300000 do pcall(sb.param, "p" .. i, { min = 0, max = 1, default = 0.5 }) end
