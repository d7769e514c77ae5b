-- A scene table whose fields come from a loop.
-- Phases: load, update, coroutine, reload.
setmetatable(scene, { __index = function() while true do end end })
scene = setmetatable({}, { __index = function() while true do end end })
