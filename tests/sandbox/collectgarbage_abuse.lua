-- Garbage by the megabyte, and no collector to call.
-- Phases: load, update, coroutine, reload.
if collectgarbage then print "escaped" end
while true do
  local t = {}
  for i = 1, 1000 do t[i] = { {}, {}, "x" .. i } end
end
