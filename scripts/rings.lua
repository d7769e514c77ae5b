-- Bronze rings rain on a wooden table (Raghuvanshi & Lin 2006, figure 7). Every
-- ring sounds, and so does the table. All rings share one shape, which is
-- solved once.
--
--   sandbell run scripts/rings.lua --set rings=100
local sb = require "sandbell"

sb.listener { position = { 0, 0.7, 1.2 }, facing = { 0, -0.5, -1 }, gain = 0.5 }

local rings = sb.param("rings", { min = 1, max = 500, default = 40 })

sb.body("table", {
  shape    = sb.mesh("models/table_600.obj", { max_hz = 6000, elements = 24 }),
  material = "wood",
  collider = { kind = "box", width = 1.2, height = 0.04, depth = 0.7 },
})
sb.body("floor", { shape = sb.floor {}, material = "wood", position = { 0, -0.75, 0 } })

-- Without a number of elements the ring would be solved twice, to see that its
-- modes stay. With 28 they are right to 0.5 %.
local shape = sb.mesh("models/ring_200.obj", { elements = 28 })
local collider = { kind = "ring", radius = 0.05, wire_radius = 0.004 }

local function some(low, high) return low + (high - low) * math.random() end

-- The rings start in layers above the table, without overlap, each with its own
-- rotation and spin. An impact gives part of its energy to the ringing, so a
-- ring bounces less than a ball of bronze.
for i = 0, rings() - 1 do
  local column, row, layer = i % 6, i // 6 % 3, i // 18
  sb.body("ring " .. i + 1, {
    shape = shape, material = "bronze", motion = "free", collider = collider, restitution = 0.4,
    position = { 0.13 * (column - 2.5), 0.5 + 0.13 * layer + some(0, 0.02), 0.13 * (row - 1) },
    rotation = { some(-1, 1), some(-1, 1), some(-1, 1), some(0, 3) },
    spin     = { some(-6, 6), some(-6, 6), some(-6, 6) },
  })
end

-- A ring that rolls away over the floor is removed.
function scene.update()
  for i = 1, rings() do
    local ring = sb.find("ring " .. i)
    local place = ring and ring:position()
    if place and place[1] ^ 2 + place[3] ^ 2 > 2 ^ 2 then ring:remove() end
  end
end
