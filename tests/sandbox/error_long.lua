-- An error message of megabytes, and prints of the same.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: the last error ends it.
for _ = 1, 1000 do print(("x"):rep(1000000)) end
error(("x"):rep(8000000))
