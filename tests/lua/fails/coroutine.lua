-- fails: fails/coroutine.lua:5: in a coroutine
local sb = require "sandbell"
sb.go(function()
  sb.sleep(0.3)
  error "in a coroutine"
end)
