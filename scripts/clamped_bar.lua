-- A steel bar that is clamped at one end and struck at the other, computed as a
-- deformable body. Its lines are where the theory of beams puts them (after
-- O'Brien, Cook & Essl 2001, figure 5).
--
--   sandbell render scripts/clamped_bar.lua --duration 0.4 \
--     --spectrum clamped_bar.png --lines scripts/lines/clamped_bar.txt --window 0.35
local sb = require "sandbell"

local elements = sb.param("elements", { min = 6, max = 60, default = 20 })    -- along the bar
local impulse = sb.param("impulse", { min = 1e-5, max = 1, default = 0.002 }) -- N s

sb.listener { position = { 0, 0.3, 0.4 }, facing = { 0, -0.3, -0.4 }, gain = 28 }

local bar = sb.deformable("bar", {
  shape    = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 },
  material = "steel",
  elements = elements(),
  hold     = "clamped-free",
})

function scene.start()
  bar:strike { at = { u = 1, v = 0.5 }, impulse = impulse() }
end
