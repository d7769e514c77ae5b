-- The object's __tostring fails, again and again, until Lua stops.
-- fails: C stack overflow
error(setmetatable({}, { __tostring = function(self) error(self) end }))
