-- A coroutine that dies of the timeout, and a resumer that ignores it.
-- Phases: load, update, coroutine, reload.
while true do
  local co = coroutine.create(function() while true do end end)
  coroutine.resume(co)
end
