-- fails: the script raised an object that has no text
local sb = require "sandbell"
sb.go(function()
  error(setmetatable({}, { __tostring = function() error "again" end }))
end)
