-- Fill and change Sandbell's own tables.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
for i = 1, 100000 do rawset(sb, "x" .. i, i) end
rawset(sb, "body", function() end)
rawset(scene, "update", 5)
rawset(_G, "scene", 5)
rawset(_G, "state", 5)
for _ = 1, 100 do pcall(error, "x") end
error "with a traceback"
