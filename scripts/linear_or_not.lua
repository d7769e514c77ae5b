-- Where does linear modal synthesis end? A: a steel plate with clamped edges as
-- a deformable body. B, from 0.5 s on: the same plate as linear modes. Struck so
-- that it swings by much less than its thickness, both have the same tones. Struck
-- harder, A is sharp at first and glides down, and its lines multiply; B only
-- gets louder.
--
--   sandbell render scripts/linear_or_not.lua -o hard.wav --duration 1 --spectrogram hard.png
--   sandbell render scripts/linear_or_not.lua -o soft.wav --duration 1 --set amplitude=0.05
local sb = require "sandbell"

-- How far the middle of the linear plate swings, in thicknesses of the plate.
local amplitude = sb.param("amplitude", { min = 1e-3, max = 10, default = 2 })
local elements = sb.param("elements", { min = 4, max = 60, default = 14 })  -- along an edge

-- The level of B does not depend on the amplitude.
sb.listener { position = { 0.1, 0.4, 0.3 }, facing = { -0.1, -0.4, -0.3 }, gain = 6 / amplitude() }

local width, thickness = 0.3, 0.001
local plate = sb.deformable("plate", {
  shape    = sb.plate { width = width, depth = width, thickness = thickness },
  material = sb.material("steel that rings briefly", { base = "steel", alpha = 10, beta = 1e-7 }),
  elements = elements(),
  hold     = "clamped",
})
local linear = plate:linear()

-- An impulse J in the middle moves the first mode, of 97 Hz, by
-- phi^2 J / (2 pi f); phi^2 is about 5.7 over the mass of the plate.
local mass = 7850 * width * width * thickness
local impulse = amplitude() * thickness * 2 * math.pi * 97 * mass / 5.7

local function strike(body)
  body:strike { at = { u = 0.5, v = 0.5 }, impulse = impulse, mass = 0.05, hardness = 1e5 }
end

sb.go(function()
  strike(plate)
  sb.sleep(0.5)
  strike(linear)
end)
