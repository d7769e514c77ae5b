-- A thousand bytes looked for in many megabytes, in a loop.
-- Phases: load, update, coroutine, reload.
local hay = ("a"):rep(8000000)
local needle = ("a"):rep(999) .. "b"
while true do hay:find(needle, 1, true) end
