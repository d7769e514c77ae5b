-- A plate of spruce, clamped along one short edge, across the grain.
local sb = require "sandbell"

sb.body("plate", {
  shape = sb.plate { width = 0.212, depth = 0.108, thickness = 0.0045, support = "clamped-free" },
  material = sb.material("spruce of the plate", {
    density = 457, youngs_modulus = 13.1e9, youngs_modulus_across = 0.881e9, shear_modulus = 0.504e9,
    poisson_ratio = 0.4,
  }),
})

truth = {
  object = "spruce plate, one short edge clamped",
  source = "Nemus magpie (measured elastic constants and resonances)",
  measured = { 87, 160, 540, 616, 651, 1061 },
  bound = { 3, 10, 3, 10, 10, 10 },
}
