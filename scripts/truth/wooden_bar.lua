-- A free bar of wood that bends: shear along the grain is soft, which lowers the
-- high tones. Its E / G = 15 is the one free number; the table gives no sizes.
local sb = require "sandbell"

sb.body("bar", {
  shape = sb.bar { length = 0.4, width = 0.05, thickness = 0.02 },
  material = sb.material("wood", {
    density = 800, youngs_modulus = 14e9, youngs_modulus_across = 1.2e9, shear_modulus = 14e9 / 15,
    poisson_ratio = 0.35,
  }),
})

truth = {
  object = "uniform wooden bar, free",
  source = "Csound manual, table of modal frequency ratios",
  modes = "flexural",
  measured = { 1, 2.572, 4.644, 6.984, 9.723 }, ratio = true,
  bound = 2,
}
