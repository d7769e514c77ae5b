-- Nine strikes along a bar, from its centre to its end. The weight of a mode at
-- a place is the height of its shape there; on a nodal line it is zero. In the
-- centre every second mode is silent, at u = 0.224 the first.
--
--   sandbell render scripts/where_you_strike.lua --spectrogram out.png
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 } }

local bar = sb.body("bar", {
  shape    = sb.bar { length = 0.36, width = 0.05, thickness = 0.0127 },
  material = sb.material("quiet aluminium", { base = "aluminium", alpha = 12 }),
})

local places = { 0.5, 0.42, 0.356, 0.3, 0.224, 0.15, 0.094, 0.04, 0 }

function scene.start()
  sb.go(function()
    for _, u in ipairs(places) do
      -- An ideal impulse excites all frequencies alike, so only the place
      -- matters.
      bar:strike { at = { u = u, v = 0.5 }, impulse = 0.02 }
      sb.sleep(1.0)
    end
  end)
end
