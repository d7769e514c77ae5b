-- Eight-megabyte strings, kept.
-- Phases: load, update, coroutine, reload.
local keep = {}
while true do keep[#keep + 1] = ("x"):rep(8000000) .. #keep end
