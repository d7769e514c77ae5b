-- A square plate with pinned edges is struck in its centre, or off it by a quarter
-- of the width and 17 % of the depth (after O'Brien, Cook & Essl 2001, figures 6
-- and 7). The centre lies on a nodal line of every mode with an even number of
-- half waves: the lines 1x2, 2x2 and 2x3 are heard from the other place only.
--
--   sandbell render scripts/plate_struck.lua -o centre.wav --duration 0.4
--   sandbell render scripts/plate_struck.lua -o off.wav --duration 0.4 --set off=1 \
--     --spectrum plate.png --window 0.35 --max-hz 1100 --over centre.wav --lines scripts/lines/plate.txt
local sb = require "sandbell"

local off = sb.param("off", { min = 0, max = 1, default = 0 })                -- 0: in the centre
local elements = sb.param("elements", { min = 4, max = 60, default = 16 })    -- along an edge
local impulse = sb.param("impulse", { min = 1e-5, max = 1, default = 0.001 }) -- N s

sb.listener { position = { 0.1, 0.4, 0.3 }, facing = { -0.1, -0.4, -0.3 }, gain = 40 }

local plate = sb.deformable("plate", {
  shape    = sb.plate { width = 0.3, depth = 0.3, thickness = 0.002 },
  material = "steel",
  elements = elements(),
  hold     = "pinned",
})

function scene.start()
  plate:strike { at = { u = 0.5 + 0.25 * off(), v = 0.5 + 0.17 * off() }, impulse = impulse() }
end
