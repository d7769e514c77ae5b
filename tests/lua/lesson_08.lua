-- lesson: 08_numbers_that_lie
-- seconds: 7
-- Claims of lesson 8. The scene runs at 48 kHz here; the claims hold at any rate.
local rate = sb.stats().sample_rate
local function first(name) return sb.find(name):modes()[1] end
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
-- 1 kHz: closed forms of the warping.
local x = math.pi * 1000 / rate
assert(math.abs(first("bilinear").cents - 1200 * math.log(math.atan(x) / x, 2)) < 0.01)
assert(math.abs(first("euler").cents - 1200 * math.log(math.asin(x) / x, 2)) < 0.2)
assert(first("exact").cents == 0 and math.abs(first("naive").cents) < 1e-6)
-- The direct form in single precision is some cents off where it is low.
local low = first("low_direct")
assert(math.abs(low.cents) > 2 and math.abs(low.cents) < 15)
-- It cancels the exact one after nine seconds.
assert(math.abs(0.5 / math.abs(low.played_hz - low.freq_hz) - 9) < 0.5)
-- The high modes of the bar are flat by more than a third.
local worst = 0
for _, mode in ipairs(sb.find("bar_bilinear"):modes()) do worst = math.min(worst, mode.cents) end
assert(worst < -400, "cents " .. worst)
refused("semitone") refused("alias") refused("limit") refused("limit", 20000)
assert(sb.ask("limit", rate / math.pi))
-- A ball of the K-method jumps metres high; one of the discrete gradient never above the 5 mm from which it fell.
local weight = sb.material("steel").density * 4 / 3 * math.pi * 0.002 ^ 3 * 9.81
local function jump(model, seconds)
  sb.sleep(0.1)
  local before, most = sb.stats().energy_now, 0
  sb.press(model)
  for _ = 1, 100 * seconds do
    sb.sleep(0.01)
    most = math.max(most, sb.stats().energy_now - before)
  end
  return most / weight
end
local good = jump("gradient", 2)
assert(good <= 1.01 * 0.3 ^ 2 / 2 / 9.81, "jumps " .. good)
local bad = jump("kmethod", 4)
assert(bad > 1, "jumps " .. bad)
print("done")
-- SPDX-License-Identifier: MIT
