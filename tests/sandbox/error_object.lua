-- An error object with a __tostring that loops.
-- Phases: load, update, coroutine, reload.
error(setmetatable({}, { __tostring = function() while true do end end }))
