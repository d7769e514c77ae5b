-- A plate to paint on. Its eight pictures, textures/paint_me_1.png to 8, say
-- how strongly each mode responds at each place: Chladni's figures, until you
-- change them.
--
--   sandbell run scripts/paint_me.lua
--
-- Leave it running, open a picture in a paint program, draw and save: the next
-- strike uses your picture, and ringing modes go on without a click.
--
--   mid-grey    the mode is silent there, as on a nodal line
--   white       it responds as strongly as anywhere on the plate
--   black       as strongly, in the opposite direction
--
-- Ideas: fill paint_me_1.png with mid-grey (50 %, or 128 of 255), and the
-- lowest mode is gone; fill all but one, and one tone is left. Draw a white
-- spot where a strike lands. A picture that cannot be read changes nothing; the
-- terminal prints the reason.
--
-- The pictures are the modes of the plate. This command draws them again:
--
--   sandbell bake scripts/paint_me.lua --size 64 -o textures/paint_me_%d.png
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 70 }

-- A note in these files says that mid-grey is zero, and which weight white is.
-- Some paint programs drop the note. "signed" replaces its first part; without
-- the second, white is the mode at its strongest place, which is nearly the
-- same.
local figures = sb.texture { path = "textures/paint_me_%d.png", encoding = "signed" }

-- Eight modes, one per picture. On a square some modes come in pairs of the
-- same frequency; merge = false keeps them apart.
local plate = sb.body("plate", {
  shape    = sb.mesh("models/plate.obj", { thickness = 0.01, modes = 8, merge = false }),
  material = sb.material("dull steel", { base = "steel", alpha = 20 }),
  weights  = figures, -- false: mode shapes instead of pictures
})

-- Five rows of five strikes, from left to right and from the top down. Of the
-- 64 pixels of a row they are at the 7th, 20th, 33rd, 45th and 58th.
local STEPS, BEAT = 5, 0.3
state.strikes = state.strikes or 0 -- a save of this file does not start again

sb.every(BEAT, function()
  local column, row = state.strikes % STEPS, state.strikes // STEPS % STEPS
  local place = { u = (column + 0.5) / STEPS, v = (row + 0.5) / STEPS }
  plate:strike { at = place, speed = 1, mass = 0.03, hardness = 4e5 }
  state.strikes = state.strikes + 1
end)
