-- Params: declaring, turning, and the command line's --set.
-- set: given=0.75
-- set: q=0.5
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

local q = sb.param("q", { min = 0, max = 1 })
check.equal(q(), 0.5, "--set")
check.equal(sb.param("given", { min = 0, max = 1, default = 0.1 })(), 0.75, "--set wins over the default")
check.equal(sb.param("plain", {})(), 0.0, "0 to 1, at the low end, when nothing is said")
check.equal(sb.param("least", { min = 3, max = 4 })(), 3.0)
check.equal(sb.param("log", { min = 1e5, max = 1e9, default = 1e7, curve = "log" })(), 1e7)
check.equal(sb.param("below", { min = -2, max = -1, default = -1.5, curve = "linear" })(), -1.5)
check.equal(tostring(q), "param 'q' = 0.5")

q:set(1)
check.equal(q(), 1.0)
q:set(0)
check.equal(q(), 0.0)
-- Declared anew: the value is kept if it fits, and both handles see it.
local same = sb.param("q", { min = -1, max = 2, default = 2 })
check.equal(same(), 0.0)
same:set(-1)
check.equal(q(), -1.0)
check.equal(sb.param("q", { min = 0, max = 1, default = 0.25 })(), 0.25, "no longer in range")

raises("sb.param: the name must be a string, got nil", function() sb.param() end)
raises("sb.param: the name must be a string, got 12", function() sb.param(12, {}) end)
raises("sb.param: the name must have 1 to 63 bytes", function() sb.param("", {}) end)
raises("sb.param: the name must have 1 to 63 bytes", function() sb.param(("x"):rep(64), {}) end)
raises("sb.param: the name must be valid UTF-8", function() sb.param("a\xff", {}) end)
raises("sb.param: the name must not hold a zero byte", function() sb.param("a\0", {}) end)
raises("sb.param needs a table { field = value, ... }, got nil", function() sb.param("p") end)
raises("sb.param: param 'p': min must be below max, got 1 and 0", function() sb.param("p", { min = 1, max = 0 }) end)
raises("sb.param: param 'p': min must be below max, got 1 and 1", function() sb.param("p", { min = 1, max = 1 }) end)
raises("sb.param: param 'p': default must be from 0 to 1, got 2", function() sb.param("p", { default = 2 }) end)
raises("sb.param: param 'p': a log curve needs min above 0, got 0", function() sb.param("p", { curve = "log" }) end)
raises("sb.param: curve must be one of 'linear', 'log', got 'exp'", function() sb.param("p", { curve = "exp" }) end)
raises("sb.param: curve must be one of 'linear', 'log', got 'lag'; did you mean 'log'?",
  function() sb.param("p", { curve = "lag" }) end)
raises("sb.param: max must be a finite number, got inf", function() sb.param("p", { max = 1 / 0 }) end)
raises("sb.param: min must be a finite number, got nan", function() sb.param("p", { min = 0 / 0 }) end)
raises("sb.param: min must be a finite number, got '0'", function() sb.param("p", { min = "0" }) end)
raises("sb.param: unknown field 'defualt'; did you mean 'default'? (known: min, max, default, curve)",
  function() sb.param("p", { defualt = 1 }) end)
raises("param:set: q must be a number from 0 to 1, got nil", function() q:set() end)
raises("param:set: q must be a number from 0 to 1, got 3", function() q:set(3) end)
raises("param:set: q must be a number from 0 to 1, got '0.5'", function() q:set("0.5") end)
raises("param:set: q must be a number from 0 to 1, got nan", function() q:set(0 / 0) end)
raises("param:set needs a Param before the colon, got 0.5 (write object:method, not object.method)",
  function() q.set(0.5) end)
raises("Param has no 'turn'", function() q.turn(0.5) end)
raises("Param has no 'sett'; did you mean 'set'?", function() q:sett(0.5) end)
check.equal(q(), 0.25, "a refused value changes nothing")

-- By name, everywhere.
check.equal(sb.params.q, 0.25)
sb.params.q = 0.75
check.equal(q(), 0.75)
check.equal(sb.params().q, 0.75)
check.equal(sb.params().given, 0.75)
raises("sb.params: q must be a number from 0 to 1, got 3", function() sb.params.q = 3 end)
raises("sb.params: q must be a number from 0 to 1, got nil", function() sb.params.q = nil end)
raises("sb.params: the scene has no param 'givn'; did you mean 'given'?", function() return sb.params.givn end)
raises("sb.params: the scene has no param 'zzzzzz'", function() sb.params.zzzzzz = 1 end)
raises("sb.params: the name must be a string, got 1", function() return sb.params[1] end)
check.equal(q(), 0.75, "a refused value changes nothing")
q:set(0.25)

-- Many of them.
local many = {}
for i = 1, 1000 do many[i] = sb.param("p" .. i, { max = 1000, default = i }) end
for i = 1, 1000 do check.equal(many[i](), i + 0.0) end

print "done"
-- SPDX-License-Identifier: MIT
