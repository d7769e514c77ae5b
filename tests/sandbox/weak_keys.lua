-- Weak keys in chains, which a collector takes the square of their number for.
-- Phases: load, update, coroutine, reload.
local weak = setmetatable({}, { __mode = "k" })
print "escaped"
