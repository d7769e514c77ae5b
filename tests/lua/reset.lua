-- seconds: 2
-- says: it rings
-- says: done
-- A reset silences all bodies, and takes away what bounces on them.
local sb = require "sandbell"

local plate = sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.01 }, material = "steel" })

local function energy() return sb.stats().energy_now end

function scene.start()
  energy()
  sb.go(function()
    if sb.now() == 0 then
      plate:strike { at = { u = 0.31, v = 0.27 }, speed = 0.3, radius = 0.002, material = "steel", bounce = true,
        gravity = 9.81 }
      sb.sleep(0.5)
      assert(energy() > 0)
      print("it rings")
      sb.reset()
    else
      sb.sleep(0.3) -- the old voices fade out in 50 ms
      assert(energy() == 0, "energy after a reset: " .. energy())
      assert(sb.stats().sounding == 0)
      print("done")
    end
  end)
end
-- SPDX-License-Identifier: MIT
