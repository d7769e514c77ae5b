-- A vibraphone bar, computed as a deformable body: no modes, only elements that
-- bend. What its surface does to the air is the sound (O'Brien, Cook & Essl
-- 2001). The film shows one period of its lowest tone.
--
--   sandbell render scripts/vibraphone_bar_struck.lua -o bar.wav --duration 0.05 \
--     --film 6 --film-span 0.04,0.045 --exaggerate 300
--
-- The middle and the ends move against each other; the nodes, at 22 % of the
-- length from each end, stay. There the bar of an instrument hangs on its cord.
-- Its 192 tetrahedra have the first two bending tones right within 0.2 %.
local sb = require "sandbell"

local speed = sb.param("speed", { min = 0.1, max = 5, default = 1 })  -- of the mallet, m/s

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 20 }

local bar = sb.deformable("bar", {
  shape    = sb.mesh("models/vibraphone_bar.msh"),
  material = "aluminium",
})

-- A ball wound with yarn, in the middle: the lowest tone, and little else.
function scene.start()
  bar:strike { point = { 0, 0.0067, 0 }, speed = speed(), mass = 0.03, hardness = 2e5 }
end
