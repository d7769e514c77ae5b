-- A finalizer put into the metatable after setmetatable has looked.
-- Phases: load, update, coroutine, reload.
local mt = {}
for i = 1, 1000 do setmetatable({}, mt) end
mt.__gc = function() print "escaped" while true do end end
local t = setmetatable({}, {})
local trash = {}
for i = 1, 200000 do trash = { trash[1] } end
