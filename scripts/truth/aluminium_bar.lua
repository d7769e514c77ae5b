-- A free bar of aluminium that bends: ratios to its lowest tone. A thin bar, for
-- which the table is meant.
local sb = require "sandbell"

sb.body("bar", {
  shape = sb.bar { length = 0.5, width = 0.03, thickness = 0.003 }, material = "aluminium",
})

truth = {
  object = "uniform aluminium bar, free",
  source = "Csound manual, table of modal frequency ratios",
  modes = "flexural",
  measured = { 1, 2.756, 5.423, 8.988, 13.448, 18.680 }, ratio = true,
  bound = 1,
}
