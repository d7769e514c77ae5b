-- A bow drawn across the end of an aluminium bar, as vibraphone players do.
--
--   sandbell run scripts/bowed_bar.lua
--   sandbell render scripts/bowed_bar.lua -o light.wav --set load=0.5
--
-- The hair takes the bar along until its bristles give way, and the bar swings
-- back, once in every period. This feeds the bar where friction falls with speed,
-- so for a bow not much faster than `stribeck`, and only if it is pressed hard
-- enough to make up for what the bar loses. Bar and bow push each other in every
-- sample: the tone takes its time to grow, and its pitch is the bar's.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 80 }

local load = sb.param("load", { min = 0, max = 20, default = 5 }) -- N
local speed = sb.param("speed", { min = 0.02, max = 0.5, default = 0.2, curve = "log" }) -- m/s

local bar = sb.body("bar", {
  shape    = sb.bar { length = 0.22, width = 0.05, thickness = 0.0095 },
  material = "aluminium",
})

-- One stroke: set on, drawn, and lifted, so that the bar rings on alone.
local function stroke(slip)
  local bow = bar:contact {
    kind = "rub", at = { u = 0, v = 0.5 }, force = 0, slip = 0,
    mu_static = 0.8, mu_kinetic = 0.3, stribeck = 0.2, bristle = 8e-6,
  }
  bow:set { force = load(), slip = slip, ramp = 0.15 }
  sb.sleep(1.5)
  bow:set { force = 0, ramp = 0.05 }
  sb.sleep(0.1)
  bow:stop()
  sb.sleep(1.4)
end

function scene.start()
  sb.go(function()
    print "one stroke"
    stroke(speed())
    print "half as fast: half as loud, since the bar moves as fast as the hair"
    stroke(speed() / 2)
    print "fingers on its middle: only the second mode has a node there, and speaks"
    local fingers = bar:touch { damping = 40, radius = 0.004, at = { u = 0.5, v = 0.5 } }
    stroke(speed() / 4)
    fingers:lift()
  end)
end
