-- A vibraphone bar with coarse and with finer elements, against its exact tones
-- (after O'Brien, Cook & Essl 2001, figure 8). With 13 elements along the bar its
-- undercut is badly resolved and it sounds three semitones too high; with 18 its
-- first tone is right within 0.5 %, and the next two are 4 % too high. The paper
-- shifted all frequencies before it compared, which hides this.
--
--   sandbell render scripts/vibraphone_two.lua -o coarse.wav --duration 0.15 --set elements=13
--   sandbell render scripts/vibraphone_two.lua -o fine.wav --duration 0.15 \
--     --spectrum two.png --window 0.13 --over coarse.wav --lines scripts/lines/vibraphone_bar.txt
local sb = require "sandbell"

local elements = sb.param("elements", { min = 6, max = 60, default = 18 })  -- along the bar

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 6 }

local bar = sb.deformable("bar", {
  shape    = sb.mesh("models/vibraphone_bar.obj"),
  material = "aluminium",
  elements = elements(),
})

-- Near the end, where all tones that bend the bar move.
function scene.start()
  bar:strike { at = { u = 0.97, v = 0.5 }, speed = 1, mass = 0.01, hardness = 1e6 }
end
