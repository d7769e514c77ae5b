-- NAFEMS FV52: a thick square plate whose lower edges do not go down.
local sb = require "sandbell"

sb.body("plate", {
  shape = sb.plate { width = 10, depth = 10, thickness = 1, support = "pinned", theory = "mindlin", max_hz = 300 },
  material = sb.material("steel of FV52", { density = 8000, youngs_modulus = 200e9, poisson_ratio = 0.3 }),
})

truth = {
  object = "thick plate, simply supported (FV52)",
  source = "NAFEMS, The Standard Benchmarks, FV52",
  names = { "1", "2", "3", "4", "6", "7" },
  measured = { 45.897, 109.44, 109.44, 167.89, 206.19, 206.19 },
  bound = 2,
}
