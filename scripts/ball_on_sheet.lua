-- A steel ball drops onto two steel sheets that are clamped at their left edge
-- (after O'Brien, Cook & Essl 2001, figure 10): a stiff one, from which it hops, and
-- one of an eighth of its thickness, which bends down by centimetres and throws it
-- off. Nothing but the thickness differs.
--
--   sandbell render scripts/ball_on_sheet.lua --duration 0.3 --film 8 --spectrogram ball_on_sheet.png
--   sandbell render scripts/ball_on_sheet.lua -o softer.wav --duration 0.3 --set soft=0.0003
local sb = require "sandbell"

local elements = sb.param("elements", { min = 4, max = 60, default = 16 })   -- along a sheet
local stiff = sb.param("stiff", { min = 1e-3, max = 5e-3, default = 0.003 }) -- thickness, m
local soft = sb.param("soft", { min = 1e-4, max = 1e-3, default = 0.0004 })  -- thickness, m

sb.listener { position = { 0, 0.5, 0.7 }, facing = { 0, -0.5, -0.7 }, gain = 4.5 }

local function drop(name, x, thickness)
  sb.deformable(name .. " sheet", {
    shape    = sb.plate { width = 0.24, depth = 0.18, thickness = thickness },
    material = "steel",
    elements = elements(),
    hold     = "clamped-free",
    position = { x, 0, 0 },
  })
  sb.body(name .. " ball", {
    shape    = sb.sphere { radius = 0.012 },
    material = "steel",
    motion   = "free",
    position = { x + 0.07, 0.04, 0.01 },
    velocity = { 0, -1, 0 },
  })
end

drop("stiff", -0.14, stiff())
drop("soft", 0.14, soft())
