-- A break shot: nothing rings, and yet one hears every ball.
--
--   sandbell run scripts/billiards.lua
--   sandbell render scripts/billiards.lua -o hard.wav --set speed=6
--
-- Balls of phenolic resin are heard because they are stopped and started: air
-- that was pushed aside comes to rest, too. What is heard is that pulse, half a
-- millisecond long, with the pitch of the ball's size and not of its material
-- (acceleration noise). It is loud on the line on which two balls meet, and soft
-- beside it, where what one pushes the other draws in.
--
-- max_hz keeps the ball rigid: its lowest own tone, near 12 kHz, is damped so
-- strongly that one does not hear it.
local sb = require "sandbell"

sb.listener { position = { 0, 0.5, 1.2 }, facing = { 0, -0.4, -1 }, gain = 1.5 }
sb.world { gravity = { 0, -9.81, 0 } }

local speed = sb.param("speed", { min = 1, max = 8, default = 4 }) -- m/s, of the cue ball
local radius = 0.0286

local resin = sb.material("resin", {
  base = "plastic", density = 1700, youngs_modulus = 6e9, poisson_ratio = 0.34, restitution = 0.95, friction = 0.06,
})

-- Slate under cloth: it is far too thick and soft to ring.
sb.body("table", { shape = sb.floor(), material = "stone", friction = 0.2, rolling = 0.02, restitution = 0.5 })

local ball = sb.sphere { radius = radius, max_hz = 9000 }

-- A triangle of ten, and a fingernail's width between neighbours.
local count = 0
for row = 0, 3 do
  for i = 0, row do
    count = count + 1
    local x = 0.2 + row * 2.002 * radius * math.cos(math.pi / 6)
    local z = (i - row / 2) * 2.002 * radius
    sb.body("ball " .. count, { shape = ball, material = resin, motion = "free", position = { x, radius, z } })
  end
end

sb.body("cue ball", {
  shape = ball, material = resin, motion = "free", position = { -0.5, radius, 0.004 },
  velocity = { speed(), 0, 0 }, spin = { 0, 0, -speed() / radius },
})
