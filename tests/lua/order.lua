-- What differs from run to run in Lua is the same in every run here: the order
-- of keys without an order of their own, and the text of what has only an
-- address.
-- seconds: 0.05
local sb = require "sandbell"

local function walk(t)
  local by_pairs, by_next = {}, {}
  for _, v in pairs(t) do by_pairs[#by_pairs + 1] = v end
  for _, v in next, t do by_next[#by_next + 1] = v end
  assert(table.concat(by_pairs, " ") == table.concat(by_next, " "))
  return by_pairs
end

-- Bodies, tables, functions and coroutines come in the order of their creation,
-- whatever the order of insertion and whatever was collected before.
local makers = {
  function(i) return sb.body("b" .. i, { shape = sb.modes { { 400 + i, 0.1 } } }) end,
  function() return {} end,
  function(i) return function() return i end end,
  function(i) return coroutine.create(function() return i end) end,
  function(i) return sb.material("m" .. i, { base = "steel" }) end,
  function(i) return sb.surface("s" .. i, { kind = "grid" }) end,
}
for _, make in ipairs(makers) do
  local made, t = {}, {}
  for i = 1, 60 do
    local _ = { {}, {} } -- garbage between them
    made[i] = make(i)
  end
  for i = 60, 1, -1 do t[made[i]] = i end
  local order = walk(t)
  assert(#order == 60)
  for i = 1, 60 do assert(order[i] == i, i) end
end

-- Before them numbers, strings, false, true and built-in functions.
local mixed = { [{}] = 9, [true] = 6, b = 4, [2.5] = 2, [1] = 1, a = 3, [false] = 5, [math.sin] = 8, [math.abs] = 7 }
assert(table.concat(walk(mixed)) == "123456789")

-- next: the manual's rules.
assert(next {} == nil)
local t = { a = 1, b = 2, c = 3 }
assert(next(t) == "a" and next(t, "a") == "b" and next(t, "c") == nil)
for k in next, t do t[k] = nil end
assert(next(t) == nil)
for i = 1, 100 do t["k" .. i] = i end
for k, v in next, t do
  assert(t[k] == v)
  for _ in next, t do break end -- another walk in between
  t[k] = nil
end
assert(next(t) == nil)
assert(not pcall(next))
assert(not pcall(next, 1))

-- No address: a number that counts objects.
local one, other = tostring {}, tostring {}
assert(one:match "^table: %d+$" and other:match "^table: %d+$", one)
local first, second = tonumber(one:match "%d+"), tonumber(other:match "%d+")
assert(second > first and second - first < 100)
for _, value in ipairs { {}, print, math.sin, function() end, coroutine.create(print), sb } do
  for _, text in ipairs { tostring(value), ("%s"):format(value), ("%p"):format(value), ("%-30p|"):format(value) } do
    assert(not text:find "0x", text)
    assert(text:find "^%a+: [%a ]*%d+", text)
  end
  assert(tostring(value) == ("%s"):format(value))
end
local named = setmetatable({}, { __name = "Thing" })
assert(tostring(named):match "^Thing: %d+$")
assert(tostring(setmetatable({}, { __tostring = function() return "mine" end })) == "mine")
assert(("%p %p %s"):format("text", 3, "x") == "(null) (null) x")
assert(("%d%% %s %5.1f %q"):format(7, nil, 1.25, "q") == '7% nil   1.2 "q"')
assert(not pcall(string.format, "%p"))
assert(tostring(nil) == "nil" and tostring(1.5) == "1.5" and tostring(true) == "true")

function scene.start() print "done" end
-- SPDX-License-Identifier: MIT
