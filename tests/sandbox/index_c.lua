-- Elements that come from a C function: no instruction is run.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: memory ends it.
local t = setmetatable({}, { __index = type, __len = function() return 1 << 50 end, __newindex = type })
while true do
  pcall(table.concat, t, "", 1, 1 << 50)
  pcall(table.insert, t, 1, 1)
  pcall(table.remove, t, 1)
  pcall(table.move, t, 1, 1 << 50, 2)
  pcall(table.unpack, t)
end
