-- lesson: 09_touching
-- seconds: 25
-- Claims of lesson 9: grooves that meet a mode, and a bow that must be slow.
local bar = sb.find("bar")
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local function turn(v) sb.params.speed = v end
local lowest = bar:modes()[1].freq_hz
refused("tone") refused("bowed") refused("rate")
sb.press("scrape")
sb.sleep(2.5)
refused("tone") refused("rate", 1)
assert(sb.ask("rate", 500))
local off = bar:energies()[1]
turn(lowest * 0.001)
sb.sleep(2.5)
assert(sb.ask("tone"))
local on = bar:energies()[1]
assert(on > 100 * off, "where grooves meet the mode it is 20 dB louder: " .. on / off)
sb.press("stop")
sb.sleep(3)
turn(1)
sb.press("bow")
sb.sleep(2)
refused("bowed")
turn(0.15)
sb.sleep(2)
local ok, text = sb.ask("bowed")
assert(ok, text)
-- The tone of the bow is that of the bar, and it lasts.
local e = bar:energies()[1]
sb.sleep(1)
assert(math.abs(bar:energies()[1] / e - 1) < 0.3)
sb.press("roll")
sb.sleep(0.5)
refused("bowed")
-- Micro-impacts are heard on a surface without any roughness, and louder when it is faster.
local function ticks(v)
  turn(v)
  sb.press("stop")
  sb.sleep(2.5)
  sb.press("ticks")
  sb.sleep(1.5)
  local sum = 0
  for _, energy in ipairs(bar:energies()) do sum = sum + energy end
  return sum
end
local slow, fast = ticks(0.1), ticks(1)
assert(slow > 0 and fast > 10 * slow, "micro-impacts " .. slow .. " " .. fast)
print("done")
-- SPDX-License-Identifier: MIT
