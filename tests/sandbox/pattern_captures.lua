-- More captures than there are places for.
-- Phases: load, update, coroutine, reload.
while true do pcall(string.find, "x", ("("):rep(1000) .. "x" .. (")"):rep(1000)) end
