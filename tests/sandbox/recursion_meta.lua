-- __index, __concat and __tostring that need themselves.
-- Phases: load, update, coroutine, reload.
local t = setmetatable({}, {})
local mt = getmetatable(t)
mt.__index = function(_, k) return t[k .. "x"] end
mt.__concat = function(a, b) return a .. b end
mt.__tostring = function(a) return tostring(a) end
while true do
  pcall(function() return t.x end)
  pcall(function() return t .. t end)
  pcall(tostring, t)
end
