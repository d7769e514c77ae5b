-- fails: fails/timer.lua:3: attempt to perform arithmetic on a nil value
local sb = require "sandbell"
sb.every(0.1, function() return nil + 1 end)
