-- SPDX-License-Identifier: MIT
-- lesson: 11_what_reaches_the_ear
-- seconds: 1
-- Claims of lesson 11: rates add up, a small plate is a dipole, a fork has four
-- quiet directions, and a wall that absorbs all gives no room.
local sheet, fork = sb.find("sheet"), sb.find("fork")
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local function db(ratio) return 20 * math.log(ratio, 10) end
for _, name in ipairs { "halved", "quiet", "one_second", "equal", "front" } do refused(name) end
for _, answer in ipairs { 0, 3, 6, -4.77, 0 / 0 } do refused("front", answer) end

-- 1 / T60 is the sum of what metal and air take; by the metal, as alpha and beta say.
local sum, count = 0, 0
for _, mode in ipairs(sheet:modes()) do
  assert(math.abs(1 / mode.t60_s - 1 / mode.t60_material_s - 1 / mode.t60_air_s) < 1e-9 / mode.t60_s)
  local metal = 2 * math.log(1000) / (1.3 + 1.3e-8 * (2 * math.pi * mode.freq_hz) ^ 2)
  assert(math.abs(mode.t60_material_s / metal - 1) < 1e-4, mode.t60_material_s / metal)
  -- Above coincidence a large sheet loses rho c sigma / (rho_s h) per second.
  if mode.freq_hz > 4500 then
    local sigma = (1 - 12310 / 4 / mode.freq_hz) ^ -0.5
    sum = sum + math.log(1000) / mode.t60_air_s / (1.204 * 343.2 * sigma / (7850 * 0.004))
    count = count + 1
  end
end
assert(count > 5 and math.abs(sum / count - 1) < 0.25, "losses above coincidence " .. sum / count)
local low = sheet:modes()[2]
assert(low.freq_hz < 1000 and low.t60_air_s > 5 * low.t60_material_s, "low modes radiate little")

-- Mode 2 is a dipole: sqrt(3) above its mean in front, silent in its plane, sqrt(3) cos between.
local p = sheet:position()
local function towards(body, at, x, y, z) return body:directivity { at[1] + x, at[2] + y, at[3] + z } end
assert(math.abs(db(towards(sheet, p, 0, 1, 0)[2]) - 4.77) < 0.1)
assert(math.abs(db(towards(sheet, p, 0, -1, 0)[2]) - 4.77) < 0.1)
assert(math.abs(db(towards(sheet, p, 1, 1, 0)[2]) - 1.76) < 0.3)
assert(db(towards(sheet, p, 1, 0, 0)[2]) < -30)
assert(sb.ask("front", 4.8))

-- Quiet directions of the fork: minima 12 dB below the loudest, as many as there are loud ones.
local quiet, last, loudest = 0, {}, 0
for at = 0, 359 do
  local a = math.rad(at)
  last[at] = fork:directivity { math.sin(a), 0.04, math.cos(a) }[1]
  loudest = math.max(loudest, last[at])
end
for at = 0, 359 do
  local here = last[at]
  if here < last[(at - 1) % 360] and here <= last[(at + 1) % 360] and db(here / loudest) < -18 then quiet = quiet + 1 end
end
assert(quiet == 4, "quiet directions: " .. quiet)
assert(db(fork:directivity()[1] / loudest) > -1, "at 0 degrees it is loud")
assert(sb.room_t60()[4] < 0.1)
local ok, message = pcall(fork.directivity, fork, fork:position())
assert(not ok and message:find("body:directivity: the place is the body's centre", 1, true), message)
print("done")
