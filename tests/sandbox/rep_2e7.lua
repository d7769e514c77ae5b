-- ("x"):rep(2e7) a billion times.
-- Phases: load, update, coroutine, reload.
for _ = 1, 1e9 do pcall(string.rep, "x", 2e7) end
