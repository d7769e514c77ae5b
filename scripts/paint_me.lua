-- A plate to paint on. Its eight pictures, textures/paint_me_1.png to 8, say how
-- strongly each mode answers where: Chladni's figures, until you change them.
--
--   sandbell run scripts/paint_me.lua
--
-- Leave it running, open one of them in a paint program, draw, save: the next
-- blow sounds as you have drawn, and what rings goes on without a click.
--
--   mid-grey    the mode is silent there, as on a nodal line
--   white       it answers as strongly as anywhere on the plate
--   black       as strongly, the other way round
--
-- Ideas: fill paint_me_1.png with mid-grey (50 %, or 128 of 255), and the deep
-- tone is gone; fill all but one, and one tone is left. Draw a white spot where a
-- blow lands. A picture that cannot be read changes nothing; the terminal says why.
--
-- They were drawn from the plate's own modes, and are drawn again by
--
--   sandbell bake scripts/paint_me.lua --size 64 -o textures/paint_me_%d.png
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 160 }

-- A note in these files says that mid-grey is zero, and how much white is. Paint
-- programs drop it: "signed" says the first again, and without the second white
-- is as strong as the mode is anywhere on the plate, nearly the same.
local figures = sb.texture { path = "textures/paint_me_%d.png", encoding = "signed" }

-- Eight modes, one for each picture. On a square some come in pairs of one pitch;
-- merge = false keeps them apart.
local plate = sb.body("plate", {
  shape    = sb.mesh("models/plate.obj", { thickness = 0.01, modes = 8, merge = false }),
  material = sb.material("dull steel", { base = "steel", alpha = 20 }),
  weights  = figures, -- false, and it sounds by its shapes, without pictures
})

-- Five blows a row, five rows, left to right and from the top down as a picture
-- is read: of 64 pixels they land on the 7th, 20th, 33rd, 45th and 58th.
local STEPS, BEAT = 5, 0.3
state.blows = state.blows or 0 -- a save of this file does not begin again

sb.every(BEAT, function()
  local column, row = state.blows % STEPS, state.blows // STEPS % STEPS
  local place = { u = (column + 0.5) / STEPS, v = (row + 0.5) / STEPS }
  plate:strike { at = place, speed = 1, mass = 0.03, hardness = 4e5 }
  state.blows = state.blows + 1
end)
