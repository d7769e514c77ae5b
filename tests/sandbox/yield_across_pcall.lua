-- Yield out of pcall again and again, so that the loop is split among calls.
-- Phases: load, update, coroutine, reload.
local co = coroutine.wrap(function()
  while true do pcall(coroutine.yield) end
end)
while true do co() end
