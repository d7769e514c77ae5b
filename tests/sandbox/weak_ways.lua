-- Ways to put a __mode into a metatable that setmetatable has accepted. A table that loses its entry is weak.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: it fills the memory often enough for the collector to pass twice.
local mode = table.concat { "__", "mo", "de" }
local ways = {
  function(mt) mt.__mode = "k" end,
  function(mt) mt[mode] = "kv" end,
  function(mt) rawset(mt, ("__MODE"):lower(), "v") end,
  function(mt) mt[("x__modex"):sub(2, 7)] = ("vk"):reverse() end,
  function(mt) load("local mt = ... mt.__mode = 'k'")(mt) end,
  function(mt) coroutine.wrap(function() mt.__mode = "k" end)() end,
  function(mt) setmetatable(mt, { __newindex = rawset }) mt.__mode = "k" end,
  function(mt) setmetatable(mt, { __index = { __mode = "k" } }) end,
  function(mt) ("__mode"):gsub("%g+", function(key) mt[key] = "k" end) end,
  function(mt) for key in ("a,__mode"):gmatch "[^,]+" do mt[key] = "k" end end,
  function(mt) mt[string.pack("z", "__mode"):sub(1, -2)] = "k" end,
  function(mt) mt[utf8.char(("__mode"):byte(1, -1))] = "k" end,
  function(mt) for key in next, { __mode = 1 } do mt[key] = "k" end end,
  function(mt) for key in pairs { __mode = 1 } do rawset(mt, key, "k") end end,
  function(mt) mt[select(2, pcall(error, "__mode", 0))] = "k" end,
  function(mt) mt[select(2, coroutine.resume(coroutine.create(error), "__mode", 0))] = "k" end,
  function(mt) table.sort({ 1, 2 }, function() mt.__mode = "k" return false end) end,
  function(mt) local function f(...) local names = table.pack(...) mt[names[1]] = names[2] end f("__mode", "k") end,
  function(mt) mt[tostring(setmetatable({}, { __tostring = function() return "__mode" end }))] = "k" end,
  function(mt) mt[("%s"):format "__mode"] = "k" end,
  function(mt) state.mode = "__mode" mt[state.mode] = "k" end,
  function(mt) mt[next({ __mode = true })] = "k" end,
  function(mt) do local _ <close> = setmetatable({}, { __close = function() mt.__mode = "k" end }) end end,
  function(mt) _ENV.__mode = "k" for key, value in pairs(_ENV) do mt[key] = value end _ENV.__mode = nil end,
}
local weak = {}
for i, way in ipairs(ways) do
  local mt = {}
  weak[i] = setmetatable({}, mt)
  pcall(way, mt)
end
-- Tables that are metatables of others already: shared, of themselves, and the library's own.
local class = {}
class.__index = class
weak[#weak + 1], weak[#weak + 2] = setmetatable({}, class), setmetatable({}, class)
class.__mode = "k"
local own = {}
weak[#weak + 1] = setmetatable(own, own)
own.__mode = "k"
weak[#weak + 1] = setmetatable({}, string)
string.__mode = "k"
local counts = {}
for i, t in ipairs(weak) do
  t[{}] = {}
  counts[i] = 0
  for _ in pairs(t) do counts[i] = counts[i] + 1 end
end
for i = 1, 150000 do counts[0] = { i } end
for i, t in ipairs(weak) do
  local count = 0
  for _ in pairs(t) do count = count + 1 end
  if count ~= counts[i] then print("escaped", i) end
end
string.__mode = nil
-- Refused at once, whatever its value.
for _, value in ipairs { "k", "v", "kv", 1 } do
  if pcall(setmetatable, {}, { __mode = value }) then print("escaped", value) end
end
-- Marked for finalization afterwards: Lua has looked already.
local late = {}
setmetatable({}, late)
late.__gc = function() print "escaped" end
for i = 1, 50000 do late.trash = { i } end
