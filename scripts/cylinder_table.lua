-- A steel cylinder is tossed onto a wooden table, in the middle and near the
-- edge, rolls off, falls to the floor and rolls there (Raghuvanshi & Lin 2006, figure 5).
--
--   sandbell run scripts/cylinder_table.lua
--   sandbell render scripts/cylinder_table.lua -o middle.wav --set where=0
--   sandbell render scripts/cylinder_table.lua -o edge.wav --set where=1
--   sandbell render scripts/cylinder_table.lua -o sides.wav --set where=1 --set sides=1 --events sides.jsonl
--
-- The table top is supported at its edges. Its fundamental moves most in the
-- middle and hardly at the edge. So a fall near the edge excites higher modes.
local sb = require "sandbell"

-- The place of the first toss: 0 is the middle, 1 the edge. The second toss is
-- at the other place.
local where = sb.param("where", { min = 0, max = 1, default = 0 })
-- 1: a thicker cylinder with 32 sides, which knocks once per side (figure 6).
local sides = sb.param("sides", { min = 0, max = 1, default = 0 })() > 0.5

sb.listener { position = { 1.2, 0.1, 0.8 }, facing = { -0.6, -0.6, -1 }, gain = sides and 0.12 or 0.2 }

local LENGTH, THICKNESS, HIGH = 1.2, 0.02, 0.72
sb.body("table", {
  shape    = sb.plate { width = LENGTH, depth = 0.7, thickness = THICKNESS, support = "simply-supported" },
  material = "oak",
})
-- The floor is a slab of stone, set with pebbles: what rolls on it is heard. An
-- sb.floor would be silent.
local SLAB = 0.02
sb.body("floor", {
  shape    = sb.plate { width = 5, depth = 0.6, thickness = SLAB, support = "simply-supported", max_hz = 8000 },
  material = "stone", position = { 1.9, -HIGH - SLAB / 2, 0 }, rolling = 0.03,
  surface  = sb.surface("pebbles", { kind = "cobbles", period = 0.03, depth = 2e-3 }),
})

-- A cylinder stands upright; a quarter turn about x lays it across the table.
local RADIUS, FALL, SPEED = sides and 0.045 or 0.015, 0.25, sides and 2 or 1.4
local cylinder = sb.body("cylinder", {
  shape    = sb.cylinder { radius = RADIUS, length = 0.2 },
  collider = sides and "hull" or nil,
  material = "steel", motion = "free", rotation = { 1, 0, 0, math.pi / 2 },
  position = { -0.3, RADIUS - HIGH, 0 },
  -- The table would take nearly all of the rebound. It bounces a little, so that
  -- it is in the air while the table rings.
  restitution = sides and 0 or 0.4,
})

local function toss(share)
  local x = share * (0.5 * LENGTH - 0.03) -- where it lands
  local before = SPEED * math.sqrt(2 * FALL / 9.81)
  cylinder:place({ x - before, THICKNESS / 2 + RADIUS + FALL, 0 }, { 1, 0, 0, math.pi / 2 })
  cylinder:velocity { SPEED, 0, 0 }
  cylinder:spin { 0, 0, 0 }
end

function scene.start()
  toss(where())
  sb.after(5, function() toss(1 - where()) end)
end
