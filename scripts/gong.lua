-- A gong and a tam-tam. A thin sheet gets stiffer when it swings as far as it
-- is thick. Struck hard, its pitch starts high and glides down as the sound
-- decays. Its modes are no longer independent: low modes pass energy to high
-- modes, so a tam-tam is brightest some time after the strike. Struck softly,
-- the modes are linear.
--
--   sandbell run scripts/gong.lua
--
-- `amplitude` is the swing at which the lowest mode is a semitone higher.
-- Change it while they ring, or remove `nonlinear`: then soft and hard strikes
-- differ in level only.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 1 }, facing = { 0, -0.4, -1 }, gain = 18 }

local metal = sb.material("gong metal", { base = "bronze", alpha = 2, beta = 2e-8 })

-- Clamped at its rim, stiffened in its middle: nearly all of the sound glides.
local gong = sb.body("gong", {
  shape     = sb.disk { radius = 0.15, thickness = 0.001, support = "clamped" },
  material  = metal,
  position  = { -0.3, 0, 0 },
  nonlinear = { amplitude = 0.0005, at = { 0.5, 0.5 } },
})

-- Free, stiffened at places that together move every mode; its metal damps high
-- modes only little.
local tam_tam = sb.body("tam-tam", {
  shape     = sb.disk { radius = 0.2, thickness = 0.0015 },
  material  = sb.material("tam-tam metal", { base = "bronze", alpha = 2, beta = 5e-9 }),
  position  = { 0.3, 0, 0 },
  gain      = 1.5,
  nonlinear = { amplitude = 0.0001 },
})

-- A mallet wound with wool: the deeper it is pressed, the stiffer it gets.
local function strike(body, u, speed, mass)
  body:strike {
    at = { u = u, v = 0.5 }, speed = speed, mass = mass, stiffness = 3e6, exponent = 2.5, lambda = 1e5, gravity = 0,
  }
end

sb.go(function()
  while true do
    print "the gong: softly, and hard"
    strike(gong, 0.55, 0.6, 0.05)
    sb.sleep(2)
    strike(gong, 0.55, 5, 0.05)
    sb.sleep(3.5)
    print "the tam-tam: softly, and hard"
    strike(tam_tam, 0.75, 0.6, 0.3)
    sb.sleep(2)
    strike(tam_tam, 0.75, 5, 0.3)
    sb.sleep(5)
  end
end)
