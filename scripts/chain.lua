-- A chain of interlinked rings hangs on a hook, swings, and is dropped on a plate.
--
--   sandbell run scripts/chain.lua
--   sandbell render scripts/chain.lua -o long.wav --set links=30
--   sandbell render scripts/chain.lua -o still.wav --set angle=0
--
-- Nothing joins the rings but their shape: each passes through the next. They
-- clink when the chain goes slack and tight again, and clatter on the plate.
local sb = require "sandbell"

local links = sb.param("links", { min = 2, max = 50, default = 15 })
local angle = sb.param("angle", { min = 0, max = 90, default = 80 })   -- degrees from hanging down, at the start
local drop = sb.param("drop", { min = 0.5, max = 20, default = 3 })    -- s, when the hook opens

local RADIUS, WIRE = 0.02, 0.002
local PITCH = 2 * (RADIUS - WIRE) - 0.0002 -- a little slack
local HEIGHT = links() * PITCH + 0.12      -- of the hook above the plate

sb.listener { position = { 0, 0.15, 0.8 }, facing = { 0, 0, -1 }, gain = 3 }

-- It lies on the floor, on felt.
sb.body("plate", {
  shape = sb.plate { width = 0.8, depth = 0.5, thickness = 0.004 }, material = "steel", gain = 0.1, restitution = 0.2,
})
sb.body("floor", { shape = sb.floor {}, material = "wood", position = { 0, -0.01, 0 } })

-- The ring in the x-z plane is turned so that its x axis runs along the chain,
-- and every other one by a further quarter turn about the chain. The product of
-- the two turns as an axis and an angle:
local function along(phi, twist)
  local cz, sz, cx, sx = math.cos(phi / 2), math.sin(phi / 2), math.cos(twist / 2), math.sin(twist / 2)
  local x, y, z = cz * sx, sz * sx, sz * cx
  local sine = math.sqrt(x * x + y * y + z * z)
  if sine < 1e-9 then return { 0, 0, 1, 0 } end
  return { x / sine, y / sine, z / sine, 2 * math.atan(sine, cz * cx) }
end

local shape = sb.ring { radius = RADIUS, wire_radius = WIRE }
local theta = math.rad(angle())
local function link(name, i, motion)
  return sb.body(name, {
    shape = shape, material = "steel", motion = motion,
    position = { i * PITCH * math.sin(theta), HEIGHT - i * PITCH * math.cos(theta), 0 },
    rotation = along(theta - math.pi / 2, i % 2 * math.pi / 2),
  })
end

local hook = link("hook", 0, "fixed")
for i = 1, links() do link("link " .. i, i, "free") end

function scene.start()
  sb.after(drop(), function() hook:remove() end)
end
