-- Things dragged over a steel tray: a needle on a record.
--
--   sandbell run scripts/scrape.lua
--   sandbell render scripts/scrape.lua -o slow.wav --set speed=0.1
--
-- A sliding point reads the profile that it passes: a higher speed is higher
-- and brighter, a higher load makes the contact stiffer and louder. Slip is the
-- velocity between the two surfaces. A rolling wheel has no slip: its asperities
-- come and go with those of the tray. As it is braked, one field of asperities
-- sweeps past the other, and it gets brighter and louder.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.5 }, facing = { 0, -0.4, -0.5 }, gain = 12 }

local speed = sb.param("speed", { min = 0.05, max = 2, default = 0.4, curve = "log" }) -- m/s

local tray = sb.body("tray", {
  shape    = sb.plate { width = 0.4, depth = 0.25, thickness = 0.0015 },
  material = sb.material("tray", { base = "steel", alpha = 8, beta = 4e-8 }),
  surface  = sb.surface("brushed", {
    kind = "fractal", roughness = 1e-5, exponent = 1.5, longest = 5e-3, shortest = 5e-5,
  }),
})

local file = sb.surface("file", { kind = "grid", period = 1e-3, depth = 1e-4, width = 5e-4, edge = 2e-4 })

local function nail(force, surface)
  return tray:contact {
    kind = "slide", radius = 1e-4, mass = 0.01, force = force, surface = surface, at = { u = 0.2, v = 0.4 },
  }
end

function scene.start()
  sb.go(function()
    print "a nail, to and fro: the same bumps, backwards"
    local point = nail(1)
    for i = 1, 4 do
      local way = i % 2 == 1 and 1 or -1
      point:set { speed = way * speed(), at = { u = 0.5 + 0.3 * way, v = 0.4 }, ramp = 0.2 }
      sb.sleep(0.35)
      point:set { speed = 0, ramp = 0.1 }
      sb.sleep(0.15)
    end
    print "pressed harder and harder, and lifted"
    point:set { speed = speed(), force = 3, ramp = 1.5 }
    sb.sleep(1.5)
    point:stop(0.1)
    sb.sleep(0.6)

    print "over a file: its teeth give a pitch that goes with the speed"
    local tooth = nail(2, file):set { speed = 2 * speed(), ramp = 1 }
    sb.sleep(1)
    tooth:set { speed = 0, ramp = 0.5 }
    sb.sleep(0.6)
    tooth:stop()

    print "a wheel that rolls, and is braked until it slides"
    local wheel = tray:contact { kind = "roll", radius = 0.02, mass = 0.05, force = 2, at = { u = 0.2, v = 0.5 } }
    wheel:set { speed = speed(), ramp = 0.3 }
    sb.sleep(1)
    wheel:set { with_speed = 0, slip = speed(), ramp = 0.8 }
    sb.sleep(1.5)
    wheel:set { speed = 0, ramp = 0.3 }
    sb.sleep(0.4)
    wheel:stop()
  end)
end
