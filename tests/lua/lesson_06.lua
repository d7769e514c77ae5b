-- lesson: 06_contact_time
-- seconds: 5
-- Claims of lesson 6: T = pi sqrt(m / k), and the zeros of a pulse's spectrum.
local bar = sb.find("bar")
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local function last() local all = sb.strikes() return all[#all] end
local index = {}
for k, mode in ipairs(bar:modes()) do index[mode.label] = k end
local one, two, four = index["flexural 1"], index["flexural 2"], index["flexural 4"]
local function strike(hardness)
  return bar:strike { at = { u = 0.02, v = 0.5 }, speed = 1, mass = 0.02, hardness = hardness }
end
local function mine(hardness)
  sb.params.hardness = hardness
  sb.press("mine")
  sb.sleep(0.01)
  return last()
end
sb.sleep(0.05)
refused("duration", 1) -- the scene's own strike does not count
local hit = mine(1e5)
assert(hit.by == "mine" and sb.strikes()[1].by == nil)
local form = math.pi * math.sqrt(0.02 / 1e5)
assert(math.abs(hit.duration / form - 1) < 0.1, hit.duration / form)
assert(sb.ask("duration", form * 1000))
refused("duration") refused("duration", 7)
refused("zero") refused("bright")
-- A contact of 1.5 periods leaves the mode alone; a short one excites all.
local hz = bar:modes()[two].freq_hz
local soft = 1e4
while strike(soft).duration > 1.5 / hz do soft = soft * 1.01 end
mine(soft)
assert(last().energies[two] < 0.01 * last().energies[one])
assert(sb.ask("zero"))
refused("bright")
mine(5e7)
assert(sb.ask("bright"))
refused("zero")
-- The same as the audio thread has it: a long contact is dull.
bar:energies()
sb.sleep(1)
local function ratio(hardness)
  local quiet = bar:touch { damping = 400, radius = 0.3 }
  sb.sleep(0.6)
  quiet:lift()
  sb.sleep(0.05)
  strike(hardness)
  sb.sleep(0.1)
  local e = bar:energies()
  return e[four] / e[one]
end
assert(ratio(5e7) > 1000 * ratio(5e4))
print("done")
-- SPDX-License-Identifier: MIT
