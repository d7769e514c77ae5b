-- Error objects in error objects in handlers.
-- Phases: load, update, coroutine, reload.
local function fail() error(setmetatable({}, { __tostring = function(e) error(e) end })) end
while true do
  xpcall(fail, function(e) return tostring(e) end)
  if not pcall(fail) then fail() end
end
