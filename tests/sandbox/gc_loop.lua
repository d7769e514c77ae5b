-- A finalizer that loops, also when the state is closed.
-- Phases: load, update, coroutine, reload.
local t = setmetatable({}, { __gc = function() while true do end end })
t = nil
print "escaped"
