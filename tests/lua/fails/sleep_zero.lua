-- fails: more than 50000 timers ran in one step of 10 ms: is there a sb.sleep(0) in a loop?
local sb = require "sandbell"
sb.go(function()
  while true do sb.sleep(0) end
end)
