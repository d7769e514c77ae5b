-- Parked errors are bounded, too: this one starts itself again each time.
-- parks
-- says: fails/go_forever.lua:9: once more
-- says: more than 100 timers failed in one step of 10 ms: the others wait for the next
-- seconds: 0.6
local sb = require "sandbell"
local function again()
  sb.go(again)
  error "once more"
end
sb.go(again)
sb.after(0.5, function() print "done" end)
