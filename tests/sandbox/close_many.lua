-- Two hundred __close in each of many calls.
-- Phases: load, update, coroutine, reload.
local mt = { __close = function() while true do end end }
local function deep(n)
  local a <close>, b = setmetatable({}, mt), 1
  return n > 0 and deep(n - 1) + 1 or (function() while true do end end)()
end
while true do pcall(deep, 150) end
