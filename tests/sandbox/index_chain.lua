-- A chain of __index tables, ten thousand long.
-- Phases: load, update, coroutine, reload.
local t = {}
for _ = 1, 10000 do t = setmetatable({}, { __index = t }) end
while true do pcall(function() return t.x end) end
