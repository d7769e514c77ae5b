-- An empty tin can falls down a flight of wooden stairs into a yard.
--
--   sandbell run scripts/tin_can_on_stairs.lua
--   sandbell render scripts/tin_can_on_stairs.lua -o kicked.wav --set speed=2.5
--   sandbell render scripts/tin_can_on_stairs.lua -o stone.wav --set steps=12
--
-- Every edge that meets a step rings the can at another place: the rim is
-- bright, the bottom is dull, and the wall booms. In the end it rolls over pebbles.
local sb = require "sandbell"

sb.listener { position = { 2, -0.5, 0.8 }, facing = { -0.6, -0.2, -1 }, gain = 1.2 }

local steps = sb.param("steps", { min = 1, max = 20, default = 7 })
local speed = sb.param("speed", { min = 0.2, max = 4, default = 1.1 }) -- m/s, of the kick

local RISE, TREAD, WIDTH = 0.17, 0.27, 0.9

-- A step sounds as the board that lies on it, and is massive for what falls.
local board = sb.plate { width = TREAD, depth = WIDTH, thickness = 0.03, support = "simply-supported" }
for i = 0, steps() - 1 do
  sb.body("step " .. i + 1, {
    shape = board, material = "oak", gain = 0.15,
    collider = { kind = "box", width = TREAD, height = RISE, depth = WIDTH },
    position = { TREAD * i, -RISE * (i + 0.5), 0 },
  })
end
sb.body("yard", {
  shape = sb.floor {}, material = "stone", position = { 0, -RISE * steps(), 0 }, rolling = 0.03,
  surface = sb.surface("pebbles", { kind = "cobbles", period = 0.02, depth = 6e-3 }),
})

-- Bottom and wall; the lid is cut off. Seams and paper damp it. It lies across
-- the stairs, nearly.
local tinplate = sb.material("tinplate", { base = "steel", alpha = 12, beta = 1e-7 })
local RADIUS, LENGTH = 0.037, 0.11
sb.body("can", {
  shape = sb.revolve {
    profile = { { 0, 0 }, { RADIUS, 0 }, { RADIUS, LENGTH } }, join = "lines", thickness = 0.0003, max_hz = 12000,
  },
  material = tinplate, motion = "free", restitution = 0.45, friction = 0.3,
  position = { 0, RADIUS + 0.02, 0.05 }, rotation = { 1, 0.15, 0, -math.pi / 2 },
  velocity = { speed(), 0.3, 0 }, spin = { 0, 0.5, -8 },
})
