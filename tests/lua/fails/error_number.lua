-- An error with a number is told as such.
-- fails: the script raised 42, not a message
local sb = require "sandbell"
sb.go(function() error(42) end)
