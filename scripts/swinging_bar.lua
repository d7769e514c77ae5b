-- A pendulum: an aluminium bar hangs by its upper edge, is struck by a fast
-- weight and swings about that edge (after O'Brien, Cook & Essl 2001, figure 9).
-- While it comes nearer its tones are higher, while it goes away lower. Nothing
-- in the script changes a pitch; the bar moves, and sound takes time.
--
--   sandbell render scripts/swinging_bar.lua --duration 1.2 --spectrogram swinging_bar.png
--
-- Its middle moves at 0.18 m times `spin`: at 30 rad/s the pitch goes up and
-- down by up to 27 cents, four to five times per second.
local sb = require "sandbell"

local elements = sb.param("elements", { min = 6, max = 60, default = 8 })  -- along the bar
local spin = sb.param("spin", { min = 0, max = 60, default = 30 })         -- rad/s

sb.listener { position = { 1, -0.1, 0.3 }, facing = { -1, 0, 0 }, gain = 1.5 }

-- It lies along x and is turned about z, so that it hangs down.
local length = 0.36
local bar = sb.deformable("bar", {
  shape    = sb.bar { length = length, width = 0.05, thickness = 0.0127 },
  material = sb.material("singing", { base = "aluminium", alpha = 1, beta = 1e-8 }),
  elements = elements(),
  motion   = "free",
  rotation = { 0, 0, 1, -math.pi / 2 },
  velocity = { spin() * length / 2, 0, 0 },
  spin     = { 0, 0, spin() },
})

function scene.start()
  -- In its own axes: the line across its upper end. It stays where it is, and
  -- the bar turns about it.
  bar:drive {
    box = { { -length / 2, 0, -1 }, { -length / 2, 0, 1 } },
    displacement = { 0, 0, 0 }, times = { 0 }, values = { 0 },
  }
  bar:strike { at = { u = 0.95, v = 0.5 }, speed = 10, mass = 0.01, hardness = 1e7 }
end
