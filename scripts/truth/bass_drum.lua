-- A bass drum of 82 cm. Its tension was not published; ratios do not depend on it.
local sb = require "sandbell"

sb.body("skin", {
  shape = sb.membrane { radius = 0.41, tension = 850, surface_density = 0.262, max_hz = 1000 },
  material = "plastic",
})

truth = {
  object = "bass drum of 82 cm",
  source = "Fletcher & Rossing, The Physics of Musical Instruments: 39, 80, 121, 162, 204, 248 Hz",
  modes = { "(0,1)", "(1,1)", "(2,1)", "(3,1)", "(4,1)", "(5,1)" },
  measured = { 39, 80, 121, 162, 204, 248 }, ratio = true,
  bound = 5,
  miss = "a bass drum has two skins and the air between them; this one has one skin",
}
