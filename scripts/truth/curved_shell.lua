-- A curved steel blade, one curved edge welded into a block. With 80 elements per
-- side, twice as many change no tone by more than 0.1 %; the default, 28, are
-- within 0.5 % of that.
local sb = require "sandbell"

sb.body("blade", {
  shape = sb.mesh("models/curved_shell.obj", {
    thickness = 3.048e-3, max_hz = 1000, merge = 0, elements = 80,
    clamp = function(p) return p.z < -0.1523 end,
  }),
  material = sb.material("steel of the blade", {
    density = 7747.73, youngs_modulus = 206.84e9, poisson_ratio = 0.3,
  }),
})

truth = {
  object = "curved steel shell, one edge clamped",
  source = "Olson & Lindberg, AFFDL-TR-68-150 (1968); a real clamp is soft",
  measured = { 86.6, 135.5, 258.9, 350.6, 395.2, 531.1, 743.2 },
  bound = { 11, 11, 4, 4, 4, 4, 4 },
}
