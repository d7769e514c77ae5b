-- The object cannot say what it is, again and again: Lua gives up.
-- fails: C stack overflow
error(setmetatable({}, { __tostring = function(self) error(self) end }))
