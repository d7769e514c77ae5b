-- A curved row of dominoes falls over, and the last one rings a bar.
--
--   sandbell run scripts/dominoes.lua
--   sandbell render scripts/dominoes.lua -o fast.wav --set gap=0.012
--   sandbell render scripts/dominoes.lua -o dominoes.wav --poses dominoes.jsonl
--
-- The script pushes only the first domino. The gaps and gravity determine how
-- fast the row falls.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.7 }, facing = { 0, -0.5, -0.7 }, gain = 14 }

local gap = sb.param("gap", { min = 0.01, max = 0.03, default = 0.02 }) -- m, from one to the next
local count = 30

sb.body("table", {
  shape = sb.plate { width = 1.4, depth = 0.7, thickness = 0.02, support = "simply-supported" }, material = "oak",
})

-- Similar to a piano key, a little softer, with much damping.
local ivory = sb.material("ivory", {
  base = "hard_plastic", density = 1800, youngs_modulus = 8e9, alpha = 60, beta = 1e-6,
  restitution = 0.3, friction = 0.3,
})
local WIDTH, HEIGHT, THICKNESS = 0.024, 0.048, 0.0075
local domino = sb.box { width = THICKNESS, height = HEIGHT, depth = WIDTH }

-- Places along an S of two arcs, each across the path. The last is for the bar.
local RADIUS = 0.3
local step = gap() + THICKNESS
local turn = step * count / 4 / RADIUS -- heading at the start of the S
local places = {}
local x, z, heading = -step * count * 0.47, 0, turn
for i = 1, count + 1 do
  places[i] = { x = x, z = z, heading = heading }
  x, z = x + step * math.cos(heading), z - step * math.sin(heading)
  heading = heading + (i <= count // 2 and -1 or 1) * step / RADIUS
end

local dominoes = {}
for i = 1, count do
  local at = places[i]
  dominoes[i] = sb.body("domino " .. i, {
    shape = domino, material = ivory, motion = "free",
    position = { at.x, 0.01 + HEIGHT / 2, at.z }, rotation = { 0, 1, 0, at.heading },
  })
end

-- An aluminium bar, where the last domino falls.
local last = places[count + 1]
sb.body("bar", {
  shape = sb.bar { length = 0.2, width = 0.025, thickness = 0.006 }, material = "aluminium", gain = 0.5,
  position = { last.x, 0.01 + HEIGHT * 0.8, last.z }, rotation = { 0, 1, 0, last.heading + math.pi / 2 },
})

function scene.start()
  sb.after(0.5, function()
    local p, push = dominoes[1]:position(), 0.0025 -- N s, along the path, at its upper edge
    dominoes[1]:push({ push * math.cos(turn), 0, -push * math.sin(turn) }, { p[1], p[2] + HEIGHT / 2, p[3] })
  end)
end
