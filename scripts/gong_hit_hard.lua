-- One thin bronze gong, three models, the same hard hit. At 0 s as linear modes:
-- the mallet decides what is heard, and high tones decay first. At 0.5 s as modes
-- with `nonlinear`, which imitates what follows. At 1 s as a deformable body: it
-- swings by several times its thickness, that stretches it, and the stretching
-- hands energy from low tones to high ones. Its spectrum climbs by itself, after
-- the mallet has left, and its pitch glides down.
--
--   sandbell render scripts/gong_hit_hard.lua --duration 1.6 --spectrogram gong.png
--   sandbell render scripts/gong_hit_hard.lua -o soft.wav --duration 1.6 --set speed=0.05
local sb = require "sandbell"

local elements = sb.param("elements", { min = 6, max = 60, default = 28 })  -- along its diameter
local speed = sb.param("speed", { min = 0.01, max = 20, default = 1.5 })    -- of the mallet, m/s

sb.listener { position = { 0.2, 0.5, 0.5 }, facing = { -0.2, -0.5, -0.5 }, gain = 6 }

local metal = sb.material("gong metal", { base = "bronze", alpha = 2, beta = 5e-9 })
local disk = sb.disk { radius = 0.2, thickness = 0.001, support = "clamped" }

local gong = sb.deformable("gong", { shape = disk, material = metal, elements = elements() })
local linear = gong:linear()
local imitated = sb.body("imitated", {
  shape = disk, material = metal, collider = "none", nonlinear = { amplitude = 0.0005 },
})

local function hit(body)
  body:strike { at = { u = 0.7, v = 0.5 }, speed = speed(), mass = 0.2, hardness = 5e4 }
end

-- A hand ends the first two, so that the next is heard alone.
sb.go(function()
  for _, body in ipairs { linear, imitated } do
    hit(body)
    sb.sleep(0.4)
    body:touch { at = { u = 0.5, v = 0.5 }, damping = 400, radius = 0.15 }
    sb.sleep(0.1)
  end
  hit(gong)
end)
