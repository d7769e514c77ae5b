-- A pattern with hundreds of thousands of items, to run out of C stack.
-- Phases: load, update, coroutine, reload.
local p = ("a?"):rep(200000) .. ("a"):rep(200000)
while true do pcall(string.find, ("a"):rep(200000), p) end
