-- A table that grows without end.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: memory ends it.
local t = {}
while true do t[#t + 1] = { #t } end
