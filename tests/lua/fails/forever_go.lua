-- fails: fails/forever_go.lua:5: more than 20 million instructions without a pause
local sb = require "sandbell"
sb.go(function()
  sb.sleep(0.2)
  while true do end
end)
