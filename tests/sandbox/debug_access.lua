-- The debug library, and what it would open.
-- Phases: load, update, coroutine, reload.
local seen = {}
local function walk(t)
  if seen[t] then return end
  seen[t] = true
  for k, v in next, t do
    if k == "debug" or k == "getinfo" or k == "upvaluejoin" or k == "loadlib" or k == "execute" then print("escaped: " .. k) end
    if type(v) == "table" then walk(v) end
    local mt = getmetatable(v)
    if type(mt) == "table" then walk(mt) end
  end
end
walk(_G)
walk(require "sandbell")
