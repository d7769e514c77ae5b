-- A state that is too large, too deep and too wide to keep.
-- Phases: load, update, coroutine, reload.
for i = 1, 200000 do state[i] = { i, "x" } end
local t = state
for _ = 1, 1000 do t.t = {} t = t.t end
state.text = ("x"):rep(8000000)
