-- Marbles are thrown into a wok. They run round, up and down its wall, meet, and
-- gather in the middle.
--
--   sandbell run scripts/wok.lua
--   sandbell render scripts/wok.lua -o one.wav --set marbles=1
--   sandbell render scripts/wok.lua -o fast.wav --set speed=1.5
--
-- The wok is a turned profile: an open sheet, in which things stay. Its wall
-- sounds where each marble runs, so its modes come and go as it goes round.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.5 }, facing = { 0, -0.6, -0.8 }, gain = 1 }

local count = sb.param("marbles", { min = 1, max = 12, default = 5 })
local speed = sb.param("speed", { min = 0, max = 1.6, default = 1 }) -- m/s, along the wall

local RADIUS = 0.008

sb.body("wok", {
  shape = sb.revolve {
    profile = { { 0, 0 }, { 0.060, 0.008 }, { 0.110, 0.035 }, { 0.155, 0.085 } }, thickness = 0.0015,
  },
  material = "steel", rolling = 0.015,
  surface  = sb.surface("hammered", { kind = "fractal", roughness = 1e-5, longest = 0.02, shortest = 2e-4 }),
})

-- Every marble begins at another place round the wall, a little above it; every
-- third runs against the others.
function scene.start()
  sb.go(function()
    for i = 1, count() do
      local turn = 2.4 * i -- the golden angle: no two are near each other
      local x, z = math.cos(turn), math.sin(turn)
      local v = i % 3 == 0 and -speed() or speed()
      sb.body("marble " .. i, {
        shape    = sb.sphere { radius = RADIUS }, material = "glass", motion = "free",
        position = { 0.115 * x, 0.09, 0.115 * z }, velocity = { -v * z, 0, v * x },
      })
      sb.sleep(0.45)
    end
  end)
end
