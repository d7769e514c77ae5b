-- What a script can reach, what it cannot, and what is the same on every run.
-- seed: 7
-- says: a	1	nil	true
-- says: zero \0 byte
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

-- Nothing but the list.
local there = {}
for name in pairs(_G) do there[#there + 1] = name end
check.equal(table.concat(there, " "), "_G _VERSION assert coroutine error getmetatable ipairs load math next pairs "
  .. "pcall print rawequal rawget rawlen rawset require scene select setmetatable state string table tonumber "
  .. "tostring type utf8 xpcall")
for _, name in ipairs { "io", "os", "debug", "package", "dofile", "loadfile", "collectgarbage" } do
  check.equal(_G[name], nil, name)
end
check.equal(math.randomseed, nil)
check.equal(string.dump, nil)
check.equal(("").dump, nil, "nor through a string")
check.equal(getmetatable(""), "locked")
check.mentions("cannot change a protected metatable", function() setmetatable(sb, nil) end)
check.mentions("cannot change a protected metatable", function() setmetatable(sb, {}) end)

-- setmetatable is Lua's own, but for finalizers.
local point = setmetatable({}, { __index = { x = 1 }, __add = function() return "sum" end })
check.equal(point.x, 1)
check.equal(point + point, "sum")
check.equal(getmetatable(setmetatable({}, nil)), nil)
raises("setmetatable: scenes have no __gc", function() setmetatable({}, { __gc = true }) end)
check.mentions("table expected", function() setmetatable(1, {}) end)
check.mentions("nil or table expected", function() setmetatable({}, 1) end)
check.mentions("nil or table expected", function() setmetatable({}) end)

-- pairs goes through numbers, then strings, each in order; the rest after.
local keys = {}
for key in pairs { b = 1, [3] = 1, a = 1, [1.5] = 1, [-2] = 1, [10] = 1, B = 1, [true] = 1, [false] = 1 } do
  keys[#keys + 1] = tostring(key)
end
check.equal(table.concat(keys, " "), "-2 1.5 3 10 B a b false true")
local count, t = 0, { 1, 2, 3, x = 4 }
for key, value in pairs(t) do
  count = count + value
  t[key] = nil -- removing while walking
  if key == 1 then t[2] = nil end -- also what is still to come
end
check.equal(count, 8)
for _ in pairs {} do error "nothing is in there" end
local proxy = setmetatable({}, { __pairs = function() return next, { z = 26 }, nil end })
for key, value in pairs(proxy) do check.equal(key .. value, "z26") end
check.mentions("table expected", function() pairs(nil) end)
check.mentions("value expected", function() pairs() end)
local large, previous = {}, ""
for i = 1, 5000 do large["k" .. i] = i end
for key in pairs(large) do
  assert(previous < key)
  previous = key
end

-- Random numbers are those of the seed (Lua's own generator, xoshiro256**).
local numbers = {}
for i = 1, 5 do numbers[i] = math.random(1000) end
check.equal(table.concat(numbers, " "), "832 216 411 186 314")
local real = math.random()
assert(real >= 0 and real < 1)

-- load takes text only, into this environment or the one it is given.
check.equal(load "return 1 + 1"(), 2)
check.equal(load("return x", "=name", "t", { x = 5 })(), 5)
check.equal(load "return sb"(), nil, "locals are not shared")
check.equal(load "return io or os or debug"(), nil)
check.equal(select(2, load "syntax error here"):match "syntax error", "syntax error")
check.equal(select(2, load("\27Lua", "=binary", "b")), "attempt to load a binary chunk (mode is 't')")
check.mentions("string expected", function() load(function() return "x" end) end)
check.mentions("string expected", function() load() end)

-- Modules beside the scene, once each, in this environment.
check.equal(require "modules.counter", 1)
check.equal(require "modules.counter", 1)
check.equal(require "modules.nothing", true)
check.equal(module_was_here, "modules.nothing")
check.equal(require "sandbell", sb)
check.mentions("require: there is no module 'nothere' beside the scene (looked for ", function() require "nothere" end)
for _, name in ipairs { "../lua/modules/check", "..", ".", "/etc/passwd", "modules/check", "modules..check", ".modules",
  "modules.", "", "a b", "a*", "%", "\xff" } do
  raises("require: '" .. name .. "' is not a module's name", function() require(name) end)
end
check.mentions("second.lua:2: require: 'modules.first' is still being loaded, or has failed to load: do two modules require "
  .. "each other?", function() require "modules.first" end)
raises("require: the module's name must be a string, got nil", function() require() end)
raises("require: the module's name must not hold a zero byte", function() require "a\0b" end)
check.mentions("syntax.lua:2:", function() require "modules.syntax" end)
check.mentions("modules/raises.lua:2: on purpose", function() require "modules.raises" end)
check.mentions("has failed to load", function() require "modules.raises" end)

-- Strings are shared by no one: changing one's own copy of a library is fine.
string.upper = function() return "mine" end
check.equal(("x"):upper(), "X")

print("a", 1, nil, true)
print "zero \0 byte"
print(setmetatable({}, { __tostring = function() return "an object" end }))
check.mentions("'__tostring' must return a string", function() print(setmetatable({}, { __tostring = function() return {} end })) end)
print()
print(("long "):rep(10000):len())
print "done"
-- SPDX-License-Identifier: MIT
