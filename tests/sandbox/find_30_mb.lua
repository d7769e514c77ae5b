-- A thousand bytes looked for in 30 MB.
-- Phases: load, update, coroutine, reload.
local hay = ("a"):rep(30000000)
while true do hay:find(("a"):rep(999) .. "b", 1, true) end
