-- Catch the timeout, and go on.
-- Phases: load, update, coroutine, reload.
while true do pcall(function() while true do end end) end
