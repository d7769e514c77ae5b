-- Marbles run down a zig-zag of planks of four materials into a bowl (after
-- Maunsbach & Serafin 2019, 5.1).
--
--   sandbell run scripts/marble_run.lua
--   sandbell render scripts/marble_run.lua -o steep.wav --set slope=9
--   sandbell render scripts/marble_run.lua -o run.wav --events run.jsonl --poses run_poses.jsonl
--
-- The script strikes nothing: it releases marbles, and the world finds their
-- contacts. A plank sounds while a marble rolls on it. Its material, its
-- surface and the speed of the marble determine the sound.
local sb = require "sandbell"

sb.listener { position = { 0, 0.15, 0.9 }, facing = { 0, -0.1, -1 }, gain = 10 }

local slope = sb.param("slope", { min = 3, max = 10, default = 6 }) -- degrees
local count = sb.param("marbles", { min = 1, max = 8, default = 4 })

local LENGTH, WIDTH, THICKNESS, DROP = 0.5, 0.06, 0.008, 0.13
local RADIUS = 0.008

-- From the top. A rougher surface is louder. Root mean square of the heights, m,
-- of common finishes that are not polished.
local planks = {
  { material = "oak",    roughness = 5e-5 },   -- sawn
  { material = "steel",  roughness = 2e-5 },   -- hot-rolled
  { material = "glass",  roughness = 1e-5 },   -- frosted
  { material = "marble", roughness = 2.5e-5 }, -- sawn
}

local tilt = math.rad(slope())
for i, plank in ipairs(planks) do
  local way = i % 2 == 1 and 1 or -1 -- to the right, or to the left
  local middle = { -way * 0.05, (#planks - i) * DROP, 0 }
  sb.body(plank.material .. " plank", {
    shape    = sb.plate { width = LENGTH, depth = WIDTH, thickness = THICKNESS },
    material = plank.material,
    surface  = sb.surface(plank.material, {
      kind = "fractal", roughness = plank.roughness, longest = 0.02, shortest = 2e-4,
    }),
    position = middle, rotation = { 0, 0, 1, -way * tilt },
    restitution = 0.05, -- it lies on felt, so a marble soon rolls
  })
  -- An upright bar where the marble lands turns it round.
  sb.body("stop " .. i, {
    shape    = sb.bar { length = 0.09 + 0.012 * i, width = WIDTH, thickness = 0.008 },
    material = "rosewood", gain = 0.5,
    position = { middle[1] - way * (LENGTH / 2 + 0.008), middle[2] + 0.045, 0 }, rotation = { 0, 0, 1, math.pi / 2 },
  })
end

sb.body("bowl", {
  shape    = sb.mesh("models/bowl.obj", { thickness = 0.003, max_hz = 10000 }),
  material = "bronze", position = { -0.35, -0.19, 0 }, restitution = 0.2, rolling = 0.1, collider = "mesh",
  gain     = 0.15,
})
sb.body("floor", { shape = sb.floor {}, material = "wood", position = { 0, -0.25, 0 }, rolling = 0.1 })

function scene.start()
  sb.go(function()
    for i = 1, count() do
      sb.body("marble " .. i, {
        shape = sb.sphere { radius = RADIUS }, material = "glass", motion = "free",
        position = { -0.25, (#planks - 1) * DROP + 0.05, 0 },
      })
      sb.sleep(1.3)
    end
  end)
end
