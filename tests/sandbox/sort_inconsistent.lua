-- An order function that says anything.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 10000 do t[i] = i end
while true do
  pcall(table.sort, t, function() return true end)
  pcall(table.sort, t, function(a, b) return (a * b) % 3 == 0 end)
end
