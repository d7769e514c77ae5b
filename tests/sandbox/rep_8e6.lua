-- The longest string there may be, a billion times.
-- Phases: load, update, coroutine, reload.
for _ = 1, 1e9 do local s = ("x"):rep(8e6) end
