-- Source whose names take the compiler long: 200 locals in each of 100 nested functions.
-- Phases: load, update, coroutine, reload.
local locals = {}
for i = 1, 190 do locals[i] = "l" .. i end
local head = "local " .. table.concat(locals, ",") .. " "
local deep = (head .. " return function() "):rep(60)
while true do load(deep .. ("x=y "):rep(100000)) end
