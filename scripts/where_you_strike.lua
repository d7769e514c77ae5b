-- A walk along a bar, from its centre to its end. Each mode answers as strongly
-- as its shape is tall where you strike, and not at all on a nodal line: in the
-- centre every second mode is silent, at u = 0.224 the first one is.
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
      -- An ideal impulse has all frequencies alike: what you hear is the place.
      bar:strike { at = { u = u, v = 0.5 }, impulse = 0.02 }
      sb.sleep(1.0)
    end
  end)
end
