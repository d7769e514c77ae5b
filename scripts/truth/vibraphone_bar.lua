-- A vibraphone bar: ours is carved for 1 : 4 : 10. Its modes 1, 3, 5 and 7 bend it
-- as a blow on its middle or its end does.
local sb = require "sandbell"

sb.body("bar", {
  shape = sb.mesh("models/vibraphone_bar.obj", { max_hz = 4000, merge = 0 }), material = "aluminium",
})

truth = {
  object = "vibraphone bar, free",
  source = "Csound manual, table of modal frequency ratios",
  modes = { "mode 1", "mode 3", "mode 5", "mode 7" },
  measured = { 1, 3.984, 10.668, 17.979 }, ratio = true,
  bound = 1,
  miss = "another carving: our bar is tuned to 1 : 4 : 10, the table's third tone was not",
}
