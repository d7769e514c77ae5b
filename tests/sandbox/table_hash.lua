-- A table with millions of names.
-- Phases: load, update, coroutine, reload.
local t, i = {}, 0
while true do
  i = i + 1.5
  t[i] = i
end
