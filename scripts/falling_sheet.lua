-- A thin steel sheet falls onto its corner, slaps the floor and springs up again
-- (after O'Brien, Cook & Essl 2001, section 4: large deformations). Modes cannot do
-- this: the sheet bends by many times its thickness. It is heard up to what its
-- elements resolve, which each render says: half as many elements, a quarter of it.
--
--   sandbell render scripts/falling_sheet.lua --duration 0.6 --film 8 --spectrogram sheet.png
--   sandbell render scripts/falling_sheet.lua -o stiff.wav --duration 0.6 --set thickness=0.003
local sb = require "sandbell"

local elements = sb.param("elements", { min = 4, max = 60, default = 24 })           -- along its longer side
local thickness = sb.param("thickness", { min = 2e-4, max = 5e-3, default = 0.001 }) -- m

sb.listener { position = { 0, 0.5, 0.8 }, facing = { 0, -0.4, -0.8 }, gain = 12 }

sb.body("floor", { shape = sb.floor {}, material = "wood" })

sb.deformable("sheet", {
  shape    = sb.plate { width = 0.4, depth = 0.3, thickness = thickness() },
  material = "steel",
  elements = elements(),
  motion   = "free",
  position = { 0, 0.19, 0 },
  rotation = { 0.5, 0, 1, math.rad(50) },
  velocity = { 0, -2, 0 },
})
