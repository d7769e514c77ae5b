-- A million coroutines, kept.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: memory ends it.
local keep = {}
while true do
  local co = coroutine.create(function() coroutine.yield() end)
  coroutine.resume(co)
  keep[#keep + 1] = co
end
