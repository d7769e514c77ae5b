-- Coroutines in coroutines, a hundred thousand deep.
-- Phases: load, update, coroutine, reload.
local function deeper(n) return coroutine.wrap(deeper)(n + 1) end
while true do pcall(deeper, 1) end
