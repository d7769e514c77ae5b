-- An order function that loops, in pcall.
-- Phases: load, update, coroutine, reload.
while true do pcall(table.sort, { 3, 2, 1 }, function() while true do end end) end
