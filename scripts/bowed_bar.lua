-- A bow drawn across the end of an aluminium bar, as vibraphone players do.
--
--   sandbell run scripts/bowed_bar.lua
--   sandbell render scripts/bowed_bar.lua -o light.wav --set load=0.5
--
-- The hair pulls the bar along until its bristles slip, and the bar swings
-- back, once per period. The bar gains energy where friction falls with speed:
-- the bow must not be much faster than `stribeck`, and its load must be high
-- enough to replace what the bar loses. Bar and bow push each other in every
-- sample, so the tone grows slowly, and its pitch is that of the bar.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 55 }

local load = sb.param("load", { min = 0, max = 20, default = 5 }) -- N
local speed = sb.param("speed", { min = 0.02, max = 0.5, default = 0.2, curve = "log" }) -- m/s

local bar = sb.body("bar", {
  shape    = sb.bar { length = 0.22, width = 0.05, thickness = 0.0095 },
  material = "aluminium",
})

-- One stroke: the bow is pressed on, drawn and lifted; then the bar rings
-- alone.
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
