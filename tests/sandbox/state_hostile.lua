-- A state that is no table, or brings metamethods.
-- Phases: load, update, coroutine, reload.
local function spin() while true do end end
state = setmetatable({}, { __index = spin, __newindex = spin, __pairs = spin, __len = spin })
rawset(state, setmetatable({}, { __eq = spin, __lt = spin }), 1)
rawset(state, 1, setmetatable({}, { __index = spin }))
scene = setmetatable({}, { __index = spin })
