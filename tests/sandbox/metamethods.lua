-- Metamethods that loop, each in pcall.
-- Phases: load, update, coroutine, reload.
local function spin() while true do end end
local mt = {}
for _, name in ipairs { "__index", "__newindex", "__call", "__eq", "__lt", "__le", "__concat", "__len", "__unm", "__add", "__idiv",
  "__band", "__shl", "__tostring", "__name", "__pairs", "__close" } do mt[name] = spin end
local a, b = setmetatable({}, mt), setmetatable({}, mt)
while true do
  pcall(function() return a == b end)
  pcall(function() return a < b end)
  pcall(function() return a .. b end)
  pcall(function() return a.x end)
  pcall(function() a.x = 1 end)
  pcall(tostring, a)
  pcall(pairs, a)
  pcall(print, a)
end
