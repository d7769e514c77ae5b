-- A table with millions of names.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: memory ends it.
local t, i = {}, 0
while true do
  i = i + 1.5
  t[i] = i
end
