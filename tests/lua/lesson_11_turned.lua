-- SPDX-License-Identifier: MIT
-- lesson: 11_what_reaches_the_ear
-- set: absorb=0.1205
-- set: distance=0.68
-- set: loss=1.38
-- set: angle=64
-- seconds: 1
-- The right settings, by Eyring's time and the critical distance.
local volume, surface = 6 * 3 * 8, 2 * (6 * 3 + 6 * 8 + 3 * 8)
local eyring = 24 * math.log(10) * volume / (343.2 * -surface * math.log(1 - 0.1205))
local t60 = sb.room_t60()[4]
assert(t60 < eyring and t60 > 0.95 * eyring, t60 .. " of " .. eyring) -- the air takes a little
assert(math.abs(0.057 * math.sqrt(volume / t60) / 0.68 - 1) < 0.02)
for _, name in ipairs { "one_second", "equal", "halved", "quiet" } do
  local ok, text = sb.ask(name)
  assert(ok, name .. ": " .. text)
end
print("done")
