-- Change what all strings can do.
-- Phases: load, update, coroutine, reload.
local mt = getmetatable ""
if type(mt) == "table" then print "escaped" end
if pcall(setmetatable, "", {}) then print "escaped" end
string.rep = function() while true do end end
local s = ("x"):rep(3)
if s ~= "xxx" then print "escaped" end
if pcall(function() (""):x() end) then print "escaped" end
if pcall(function() ("").rep = 1 end) then print "escaped" end
