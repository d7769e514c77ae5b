-- A table in a table in a table.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: memory ends it.
local t = {}
while true do t = { t } end
