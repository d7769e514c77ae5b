-- A loop without end.
-- Phases: load, update, coroutine, reload.
while true do end
