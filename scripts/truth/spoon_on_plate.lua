-- A teaspoon of 30 g slips from a hand 15 cm above a dinner plate; heard from
-- 0.7 m. With gain 1, 40 Pa are full scale.
local sb = require "sandbell"

sb.listener { position = { 0, 0.5, 0.49 }, facing = { 0, -0.7, -0.7 }, gain = 1 }

sb.body("plate", {
  shape = sb.revolve {
    profile = { { 0, 0 }, { 0.080, 0.001 }, { 0.090, 0.006 }, { 0.125, 0.020 } },
    thickness = 0.005,
  },
  material = "porcelain",
})
sb.body("spoon", {
  shape = sb.bar { length = 0.14, width = 0.012, thickness = 0.0023 }, material = "steel",
  motion = "free", position = { 0.02, 0.17, 0 }, rotation = { 0, 0, 1, 0.4 },
})

truth = {
  object = "spoon dropped on a plate",
  source = "peaks of 110 to 115 dB at 0.5 to 1 m, of no spoon in particular: held to 100 to 118",
  unit = "dB", names = { "peak, dB SPL" },
  measured = { 109 }, bound = 9,
  run = 0.5, computed = function(peak) return 20 * math.log(peak * 40 / 20e-6, 10) end,
}
