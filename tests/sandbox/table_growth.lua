-- A table that grows without end.
-- Phases: load, update, coroutine, reload.
local t = {}
while true do t[#t + 1] = { #t } end
