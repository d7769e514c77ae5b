-- A lamp glass is pushed over a table, stands still, and is pushed again: it scrapes,
-- and squeaks while it moves slowly.
--
--   sandbell run scripts/squeaking_glass.lua
--   sandbell render scripts/squeaking_glass.lua -o wet.wav --set static=0.3
--
-- Friction at rest, mu_static, is above friction in motion. What slides slower than
-- the `squeak` of sb.world sticks and slips: the rim is pulled along and jumps back,
-- in time with the mode of the glass that takes most of it. With static = 0.3 the
-- two are equal, as on a wet table, and it only scrapes.
local sb = require "sandbell"

local static = sb.param("static", { min = 0.3, max = 2, default = 1 })
local speed = sb.param("speed", { min = 0.01, max = 0.4, default = 0.06, curve = "log" }) -- m/s, of the slow pushes

sb.listener { position = { 0, 0.4, 0.4 }, facing = { 0, -0.8, -1 }, gain = 8 }
sb.world { squeak = 0.1 }

local FRICTION, THICKNESS, HIGH = 0.3, 0.02, 0.12
sb.body("table", {
  shape    = sb.plate { width = 1, depth = 0.6, thickness = THICKNESS, support = "simply-supported", max_hz = 3000 },
  material = "oak",
})
local glass = sb.body("glass", {
  shape    = sb.tube { radius = 0.035, length = HIGH, thickness = 0.0012, max_hz = 9000 },
  material = "glass", motion = "free", mass = 0.2, restitution = 0,
  friction = FRICTION, mu_static = static(),
  position = { -0.3, (THICKNESS + HIGH) / 2, 0 },
})

-- Speeds that the hand wants, from these times on.
local hand = { { 0.2, 1 }, { 1.2, 0 }, { 1.6, 2 / 3 }, { 2.8, 0 }, { 3.2, 5 }, { 3.9, 0 } }

function scene.update()
  local now, wanted = sb.now(), 0
  for _, h in ipairs(hand) do
    if now >= h[1] then wanted = h[2] * speed() end
  end
  local is = glass:velocity()[1]
  local holds = wanted > 0 and FRICTION * 0.2 * 9.81 or 0
  glass:force { math.max(0, holds + 8 * (wanted - is)), 0, 0 }
end
