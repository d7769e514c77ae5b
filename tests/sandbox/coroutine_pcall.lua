-- The same, with pcall inside and outside.
-- Phases: load, update, coroutine, reload.
local function spin() while true do end end
while true do
  pcall(coroutine.wrap(function() while true do pcall(spin) end end))
end
