-- A tail call has no line of its own, and here no other function has one.
-- fails: sb.find: the name must be a string, got nil
local sb = require "sandbell"
sb.after(0.1, function() return sb.find() end)
