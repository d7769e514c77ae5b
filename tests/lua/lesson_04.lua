-- lesson: 04_damping
-- seconds: 3
-- Claims of lesson 4: Rayleigh's damping, and what alpha and beta do.
local bar = sb.find("bar")
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local alpha, beta = 0.5, 1.5e-6
for _, mode in ipairs(bar:modes()) do
  local w = 2 * math.pi * mode.freq_hz
  local t60 = 2 * math.log(1000) / (alpha + beta * w * w)
  assert(math.abs(mode.t60_s / t60 - 1) < 1e-3, mode.label)
end
-- The decay that is heard: the lowest mode's energy falls by 60 dB in T60.
bar:energies()
sb.sleep(0.3)
local first, at = bar:energies()[1], sb.now()
sb.sleep(1.5)
local fell = 10 * math.log(first / bar:energies()[1], 10)
assert(math.abs(fell / (60 * (sb.now() - at) / bar:modes()[1].t60_s) - 1) < 0.03, "fell by " .. fell)
refused("only_lowest") refused("wooden") refused("least") refused("least", 440)
assert(sb.ask("least", math.sqrt(alpha / beta) / (2 * math.pi)))
print("done")
-- SPDX-License-Identifier: MIT
