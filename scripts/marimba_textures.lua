-- The marimba of Maunsbach & Serafin (2019, 5.2): four modes per bar, and a
-- picture per mode that says how strongly it responds from end to end. White is
-- the mode at its strongest, black is silent:
--
--   sandbell run scripts/marimba_textures.lua
--
-- Draw on textures/marimba_2.png while it plays, and save: all bars change.
local sb = require "sandbell"

sb.listener { position = { 0, 0.5, 0.9 }, facing = { 0, -0.5, -0.9 }, gain = 0.7 }

-- marimba_1.png to marimba_4.png, 64 x 1 pixels: |phi| of a uniform free bar
-- (textures/generate.lua). All bars share them, because u goes from end to end
-- of every bar. The paper leaves the first picture white, so that all places
-- are equally loud; here it is dark at u = 0.224, where the cord goes through.
local strips = assert(sb.texture "textures/marimba_%d.png")

-- A builder carves the underside until the overtones are 1 : 4 : 9.2 : 19.6.
-- White is the weight at the ends of a free bar of 0.3 kg, 2 / sqrt(0.3).
local ratios, t60 = { 1, 4, 9.2, 19.6 }, { 1.4, 0.5, 0.25, 0.12 }
local WHITE = 2 / math.sqrt(0.3)

local function tuned(f)
  local modes = {}
  for k, ratio in ipairs(ratios) do modes[k] = { f * ratio, t60[k], WHITE } end
  return sb.modes(modes)
end

-- F3 to F4, all semitones, from left to right.
local LOW, HIGH = 53, 65
local bars = {}
for key = LOW, HIGH do
  bars[key] = sb.body("bar " .. key, {
    shape    = tuned(440 * 2 ^ ((key - 69) / 12)),
    weights  = strips,
    position = { (key - 59) * 0.06, 0, 0 },
  })
end

local function hit(key, u)
  bars[key]:strike { at = { u = u, v = 0.5 }, speed = 1.2, mass = 0.03, hardness = 2e6 }
end

function scene.start()
  sb.go(function()
    -- The paper's four places on one bar: centre, off-centre, off-edge, edge.
    -- In the centre the second and fourth mode are almost silent: grey has no
    -- sign, so the pixels on both sides of a node do not cancel. The pictures
    -- of `sandbell bake` have signs (paint_me.lua).
    for _, u in ipairs { 0.5, 0.36, 0.224, 0.02 } do
      hit(LOW, u)
      sb.sleep(0.8)
    end
    -- Up in the centre of the bars, and down again over the cord: on the same
    -- bars the tone is now two octaves higher.
    for key = LOW, HIGH do
      hit(key, 0.5)
      sb.sleep(0.16)
    end
    for key = HIGH, LOW, -1 do
      hit(key, 0.224)
      sb.sleep(0.16)
    end
    -- A roll on one bar, from its centre to its end.
    for n = 0, 23 do
      hit(LOW + 7, 0.5 - 0.5 * n / 23)
      sb.sleep(0.09)
    end
    for _, key in ipairs { 53, 57, 60, 65 } do hit(key, 0.5) end
  end)
end
