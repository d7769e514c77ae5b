-- %b() on long strings that never balance, from every place.
-- Phases: load, update, coroutine, reload.
local s = ("("):rep(2000000)
while true do s:find "%b()" end
