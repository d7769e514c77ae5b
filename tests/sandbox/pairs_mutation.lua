-- pairs and next while the table changes.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 100000 do t["k" .. i] = i end
while true do
  for k in pairs(t) do t[k] = nil t[k .. "x"] = 1 end
  pcall(function() for k in next, t do t[k .. "y"] = 1 end end)
end
