-- A singing bowl from a mesh, struck from the middle of its floor to its rim.
-- In the lowest mode the rim becomes oval. The floor hardly moves in this mode,
-- so a strike there does not excite it. The texture coordinates of the mesh: u
-- goes around the bowl, v from the middle of the floor to the rim.
--
--   sandbell run scripts/bowl.lua
--
-- The bowl is solved once and cached; a change of its metal needs no new solve.
-- While it rings, change `tune` and save: it glides. Change THICKNESS, and
-- another bowl is solved while the old one plays on, and then cross-faded.
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 }, gain = 20 }

local THICKNESS = 0.003
local tune = 1.0 -- 1.06 is a semitone up, 0.5 an octave down

local metal = sb.material("bowl metal", { base = "bronze", alpha = 1, beta = 2e-8 })
metal = sb.material("tuned metal", {
  base = metal, youngs_modulus = metal.youngs_modulus * tune ^ 2,
})

local bowl = sb.body("bowl", {
  shape    = sb.mesh("models/bowl.obj", { thickness = THICKNESS }),
  material = metal,
})

local places = {
  { "the middle of the floor", 0.0, 0.02 },
  { "the floor",               0.1, 0.20 },
  { "where the wall begins",   0.1, 0.45 },
  { "the wall",                0.1, 0.70 },
  { "the rim",                 0.1, 0.98 },
}

local function strike(u, v, speed)
  bowl:strike { at = { u = u, v = v }, speed = speed, mass = 0.06, hardness = 4e5 }
end

function scene.start()
  local modes = bowl:modes()
  print(("%d modes, the lowest at %.1f Hz"):format(#modes, modes[1].freq_hz))
  sb.go(function()
    for _, place in ipairs(places) do
      print("struck at " .. place[1])
      strike(place[2], place[3], 1)
      sb.sleep(2)
    end
    -- Along the rim, a sixteenth of a turn apart, from a crest of the oval to
    -- its node. Oval modes come in pairs, and at every place one of the two
    -- responds.
    for i = 0, 3 do
      strike(0.1 + i / 16, 0.98, 0.6)
      sb.sleep(1)
    end
  end)
end
