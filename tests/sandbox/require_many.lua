-- Modules that are not there, by the million.
-- Phases: load, update, coroutine, reload.
local i = 0
while true do
  i = i + 1
  pcall(require, "m" .. i)
end
