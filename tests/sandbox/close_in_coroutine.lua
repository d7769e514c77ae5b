-- A __close in a coroutine that has died of the timeout: closing it would run without hooks.
-- Phases: load, update, coroutine, reload.
local co = coroutine.create(function()
  local x <close> = setmetatable({}, { __close = function() while true do end end })
  while true do end
end)
pcall(coroutine.resume, co)
coroutine.close(co)
while true do coroutine.close(co) end
