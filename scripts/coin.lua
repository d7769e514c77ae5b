-- A coin is spun on a table (Euler's disk): it leans over, and its rim runs round
-- and round, ever faster, until it lies flat.
--
--   sandbell run scripts/coin.lua
--   sandbell render scripts/coin.lua -o coin.wav --spectrogram coin.png --poses coin.jsonl
--   sandbell render scripts/coin.lua -o long.wav --set lever=0.03
--
-- The flatter a coin of the radius r lies, the faster its contact runs round: at
-- the tilt a, Omega^2 = 4 g / (r sin a). The ridges of its rim come back once per
-- turn, so what is heard is a whirr whose pitch is Omega and rises to the end.
local sb = require "sandbell"

local tilt = sb.param("tilt", { min = 10, max = 80, default = 30 })              -- degrees, at the start
local radius = sb.param("radius", { min = 9, max = 40, default = 12 })           -- mm
local lever = sb.param("lever", { min = 0.02, max = 0.5, default = 0.06, curve = "log" }) -- mm, rolling friction

local THICKNESS, TABLE = 0.002, 0.012

-- A larger coin is heavier and louder.
sb.listener { position = { 0, 0.3, 0.3 }, facing = { 0, -1, -1 }, gain = 400 * (12 / radius()) ^ 1.5 }

-- Both are polished; what is left are waves of centimetres.
local function polished(name, roughness)
  return sb.surface(name, {
    kind = "fractal", roughness = roughness, longest = 2 * math.pi * radius() / 1000, shortest = 0.012,
  })
end

sb.body("table", {
  shape = sb.plate { width = 1, depth = 0.6, thickness = TABLE, support = "simply-supported" }, material = "oak",
  surface = polished("varnish", 1e-7),
})

-- Steady precession with the centre still: the contact is at r e - c d from the
-- centre, where d is the coin's axis, e points down its face and c is half the
-- thickness. The coin turns about the line to it.
local a, r, c, g = math.rad(tilt()), radius() / 1000, THICKNESS / 2, 9.81
local sin, cos = math.sin(a), math.cos(a)
local inertia, axial = r ^ 2 / 4 + c ^ 2 / 3, r ^ 2 / 2 -- about a diameter and the axis, per kg
local omega = math.sqrt(g * (r * cos - c * sin) / (sin * (inertia * cos - axial * c / r * sin)))

sb.body("coin", {
  shape    = sb.disk { radius = r, thickness = THICKNESS }, material = "brass", motion = "free",
  lever    = lever() / 1000, surface = polished("rim", 1e-7),
  friction = 1, -- it rolls without slip, also in the first seconds, in which its centre moves
  position = { 0.1, TABLE / 2 + r * sin + c * cos, 0 },
  rotation = { 0, 0, 1, -a }, -- its right side is down
  spin     = { -omega * sin * cos + omega * sin * c / r * sin, omega * sin * sin + omega * sin * c / r * cos, 0 },
})
