-- The shortest scene: one steel bar, struck once.
local sb = require "sandbell"

local bar = sb.body("bar", {
  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel",
})

function scene.start()
  bar:strike { at = { u = 0.1, v = 0.5 }, speed = 2, mass = 0.02, hardness = 1e7 }
end
