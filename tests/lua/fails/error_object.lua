-- fails: I am an object
local sb = require "sandbell"
sb.go(function()
  error(setmetatable({}, { __tostring = function() return "I am an object" end }))
end)
