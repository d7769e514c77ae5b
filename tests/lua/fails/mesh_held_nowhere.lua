-- A clamp that misses what it should hold, as a wrong unit does.
-- fails: body 'x': models/die.obj: clamp holds none of its
local sb = require "sandbell"
sb.body("x", {
  shape = sb.mesh("models/die.obj", { elements = 4, clamp = function(p) return p.y < -20 end }), material = "steel",
})
