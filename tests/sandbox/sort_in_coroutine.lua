-- The same in a coroutine, without an order function.
-- Phases: load, update, coroutine, reload.
coroutine.wrap(function()
  local t = {}
  for i = 1, 1000000 do t[i] = (i * 7919) % 1000003 end
  while true do table.sort(t) end
end)()
