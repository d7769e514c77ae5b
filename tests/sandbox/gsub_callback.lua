-- A gsub callback that loops.
-- Phases: load, update, coroutine, reload.
("x"):gsub(".", function() while true do end end)
