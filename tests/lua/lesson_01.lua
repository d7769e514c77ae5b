-- lesson: 01_one_mode
-- seconds: 5
-- Claims of lesson 1.
local tone = sb.find("tone")
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local function passed(name, answer) local ok, text = sb.ask(name, answer) assert(ok, name .. ": " .. text) end
local function energy() return tone:energies()[1] end
local function db(a, b) return 10 * math.log(a / b, 10) end

tone:energies()
sb.sleep(0.1)
-- The level falls evenly, by 60 dB in T60 and so by 30 dB in half of it.
local first, began = energy(), sb.now()
sb.sleep(1)
local fell = db(first, energy())
-- (Energies are measured every 21 ms, in which it falls by 0.64 dB.)
assert(math.abs(fell - 30 * (sb.now() - began)) < 0.7, "fell by " .. fell)
-- Twice the impulse: 6 dB more, the same pitch and decay. Measured from rest.
sb.sleep(2)
local function rung(action)
  sb.press(action)
  sb.sleep(0.2)
  return energy()
end
local soft = rung("strike")
sb.sleep(1.0)
local modes = tone:modes()
local rest = energy()
local hard = rung("harder")
assert(rest < 0.001 * soft * 10 and hard > 3.5 * soft and hard < 4.5 * soft, "ratio " .. hard / soft)
assert(math.abs(tone:modes()[1].freq_hz - modes[1].freq_hz) < 1e-9)
-- f and T60 are what the sliders say; T60 = ln(1000) / sigma.
assert(math.abs(modes[1].freq_hz - 440) < 1e-6 and math.abs(modes[1].t60_s - 2) < 1e-6)

refused("octave") refused("shorter") refused("twenty") refused("twenty", 1) refused("twenty", "soon")
passed("twenty", 2 / 3)
print("done")
-- SPDX-License-Identifier: MIT
