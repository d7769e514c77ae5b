-- A table that says it has 2^40 elements.
-- Phases: load, update, coroutine, reload.
while true do pcall(table.sort, setmetatable({}, { __len = function() return 1 << 40 end }))
  pcall(table.sort, setmetatable({}, { __len = function() return 1 << 20 end, __index = function() return 1 end })) end
