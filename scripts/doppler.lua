-- A bar swings on a rod, past the listener and back, and is struck once (after
-- O'Brien, Cook & Essl 2001, figure 9).
--
--   sandbell run scripts/doppler.lua
--   sandbell render scripts/doppler.lua -o doppler.wav --spectrogram doppler.png
--   sandbell render scripts/doppler.lua -o near.wav --set length=6
--
-- Coming, it is heard higher, going, lower: at v m/s by the factor 1 / (1 - v / 343).
-- A rod of 4 m lets it pass at 5.6 m/s, which is 28 cents up and 28 down; the
-- pitch follows the pendulum, twice a period through its own.
local sb = require "sandbell"

local length = sb.param("length", { min = 1, max = 20, default = 4 }) -- m, of the rod
local angle = sb.param("angle", { min = 5, max = 80, default = 53 })  -- degrees, at first

-- Beside the way, near where it turns round on the right.
local swing = math.rad(angle())
sb.listener {
  position = { length() * math.sin(swing) + 0.5, length() * (1 - math.cos(swing)), 0 }, facing = { -1, 0, 0 }, gain = 8,
}

local bar = sb.body("bar", {
  shape    = sb.bar { length = 0.3, width = 0.04, thickness = 0.012 },
  material = sb.material("bell metal", { base = "aluminium", alpha = 0.6, beta = 2e-9 }),
  motion   = "free", position = { -length() * math.sin(swing), length() * (1 - math.cos(swing)), 0 },
})
sb.joint("rod", { kind = "hinge", a = bar, at = { 0, length(), 0 }, axis = { 0, 0, 1 } })

function scene.start()
  bar:strike { at = { u = 0.9, v = 0.5 }, speed = 3, mass = 0.02, hardness = 1e7 }
end
