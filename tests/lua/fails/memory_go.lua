-- fails: fails/memory_go.lua:5: string.rep: the result would be longer than 8 MB
local sb = require "sandbell"
sb.go(function()
  sb.sleep(0.1)
  local text = ("x"):rep(1 << 30)
  return #text
end)
