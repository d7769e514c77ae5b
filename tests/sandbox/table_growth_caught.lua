-- Tables that grow until memory is out, caught and tried again.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: memory ends it.
local keep = {}
while true do
  pcall(function() while true do keep[#keep + 1] = {} end end)
end
