-- Loop in the message handler, where Lua runs no hooks.
-- Phases: load, update, coroutine, reload.
xpcall(function() while true do end end, function() while true do end end)
