-- coroutine.wrap in pcall, in a loop, each doing little.
-- Phases: load, update, coroutine, reload.
while true do pcall(coroutine.wrap(function() error {} end)) end
