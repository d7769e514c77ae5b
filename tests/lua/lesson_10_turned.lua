-- lesson: 10_too_much
-- set: merge=10
-- set: limit=40
-- seconds: 2
-- Merged and cut: fewer modes, the same energy, and little is lost.
local all, few = sb.find("all"), sb.find("few")
assert(#few:modes() < 0.5 * #all:modes(), "share " .. #few:modes() / #all:modes())
local function given(body)
  body:strike { at = { u = 0.12, v = 0.17 }, impulse = 5 }
  body:energies()
  sb.sleep(0.2)
  local sum = 0
  for _, e in ipairs(body:energies()) do sum = sum + e end
  return sum
end
local a, b = given(all), given(few)
assert(math.abs(10 * math.log(a / b, 10)) < 1, "merging keeps the energy: " .. a / b)
sb.press("all")
sb.sleep(0.05)
local s = sb.stats()
assert(s.modes_mixed <= 40 and s.modes_dropped > 50)
assert(sb.ask("half"))
assert(sb.ask("count", #all:modes() - #few:modes()))
assert(not sb.ask("count", 1))
local ok, text = sb.ask("truncate")
assert(ok, text)
print("done")
-- SPDX-License-Identifier: MIT
