-- A table in a table in a table.
-- Phases: load, update, coroutine, reload.
local t = {}
while true do t = { t } end
