-- string.char and utf8.char with as many numbers as there may be.
-- Phases: load, update, coroutine, reload.
local t = {}
for i = 1, 90000 do t[i] = 65 end
while true do string.char(table.unpack(t)) utf8.char(table.unpack(t)) end
