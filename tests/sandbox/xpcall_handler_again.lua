-- A handler that raises, in a loop.
-- Phases: load, update, coroutine, reload.
while true do xpcall(error, function() error "again" end) end
