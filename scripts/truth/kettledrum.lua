-- A kettledrum of 65.6 cm: its tones with one nodal circle, the rim, and 1 to 5
-- nodal lines. In a vacuum their ratios are 1, 1.34, 1.67, 1.98, 2.29: the air,
-- outside and in the kettle, makes them nearly harmonic.
local sb = require "sandbell"

sb.body("skin", {
  shape = sb.membrane {
    radius = 0.328, tension = 3990, surface_density = 0.262, max_hz = 1000,
    kettle = 0.42,
  },
  material = "plastic",
})

truth = {
  object = "kettledrum of 65.6 cm",
  source = "Christian et al., J. Acoust. Soc. Am. 76 (1984); Rossing",
  modes = { "(1,1)", "(2,1)", "(3,1)", "(4,1)", "(5,1)" },
  measured = { 1, 1.50, 1.98, 2.44, 2.9 }, ratio = true,
  bound = 3,
}
