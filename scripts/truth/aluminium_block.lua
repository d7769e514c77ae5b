-- A small block of an aluminium alloy, free, whose elastic constants and 28
-- lowest resonances were measured without contact. Elements, 10 per side.
local sb = require "sandbell"

sb.body("block", {
  shape = sb.box { width = 11.92e-3, height = 10.93e-3, depth = 9.86e-3, max_hz = 300e3, merge = 0 },
  material = sb.material("alloy", { density = 2788, youngs_modulus = 71.510e9, poisson_ratio = 0.33814 }),
})

truth = {
  object = "aluminium block, free",
  source = "Ogi et al., J. Acoust. Soc. Am. 112, 2553 (2002); their own theory is .26 % off",
  unit = "kHz",
  measured = {
    116.716, 143.783, 158.081, 166.5, 169.523, 177.846, 183.875, 186.047, 190.341, 197.386,
    201.133, 207.386, 209.836, 214.753, 223.548, 231.266, 233.538, 234.717, 250.98, 251.256,
    252.742, 256.122, 257.595, 258.118, 259.035, 268.54, 277.113, 278.762, 282.311,
  },
  bound = 0.35, rms = true,
}
