-- Things with walls, without a mesh file: a bell, a bowl, a wine glass, a wok,
-- wind chimes, a lampshade and a tin, struck one after the other where such
-- things are struck. Then the wind moves the chimes.
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.9 }, facing = { 0, -0.2, -0.9 } }

-- Profiles are points { r, y } or { r, y, t } in the middle of the wall, from
-- the axis or an open end to the other; t is the thickness there.
local bell = { -- thick at the rim, where the clapper strikes
  { 0, 0.165, 0.006 }, { 0.032, 0.160, 0.006 }, { 0.046, 0.140, 0.005 }, { 0.051, 0.100, 0.005 },
  { 0.058, 0.060, 0.006 }, { 0.072, 0.025, 0.009 }, { 0.088, 0, 0.011 },
}
local bowl = { { 0, 0 }, { 0.030, 0.002 }, { 0.058, 0.018 }, { 0.074, 0.048 }, { 0.076, 0.085 } }
local glass = { -- foot, stem, cup; held at the rim of its foot
  { 0.034, 0, 0.003 }, { 0.008, 0.004, 0.004 }, { 0.004, 0.012, 0.006 }, { 0.004, 0.016, 0.006 },
  { 0.004, 0.070, 0.006 }, { 0.004, 0.074, 0.006 },
  { 0.012, 0.084, 0.003 }, { 0.030, 0.105, 0.0015 }, { 0.036, 0.130, 0.0012 }, { 0.030, 0.175, 0.001 },
}
local wok = { { 0, 0 }, { 0.060, 0.008 }, { 0.110, 0.035 }, { 0.155, 0.085 } }

local things = {
  { "bell", sb.revolve { profile = bell }, "bronze" },
  { "bowl", sb.revolve { profile = bowl, thickness = 0.003 }, "bronze" },
  { "glass", sb.revolve { profile = glass, support = "clamped" }, "glass" },
  { "wok", sb.revolve { profile = wok, thickness = 0.0015 }, "steel" },
  { "shade", sb.cone { radius = 0.12, top_radius = 0.05, height = 0.12, thickness = 0.001 }, "aluminium" },
  { "tin", sb.hollow { width = 0.16, height = 0.10, depth = 0.10, thickness = 0.001, max_hz = 10000 }, "steel" },
}

local bodies = {}
for i, thing in ipairs(things) do
  local name, shape, material = table.unpack(thing)
  bodies[i] = sb.body(name, { shape = shape, material = material, position = { 0.2 * (i - 3.5), 0, -0.3 } })
end

-- Five chimes, tuned to a pentatonic scale: a tube that bends has f ~ 1 / L^2.
local chimes = {}
for i, ratio in ipairs { 1, 9 / 8, 5 / 4, 3 / 2, 5 / 3 } do
  chimes[i] = sb.body("chime " .. i, {
    shape = sb.tube { length = 0.55 / math.sqrt(ratio), radius = 0.012, thickness = 0.0015 },
    material = "aluminium", position = { 0.08 * (i - 3), 0.2, -0.1 },
  })
end

function scene.start()
  sb.go(function()
    for _, body in ipairs(bodies) do
      body:strike { speed = 0.8, mass = 0.01 }
      sb.sleep(1.6)
    end
    for gust = 1, 14 do
      local i = 1 + (gust * 5 + gust // 3) % #chimes
      chimes[i]:strike { speed = 0.25 + 0.1 * math.sin(gust), mass = 0.02, material = "wood" }
      sb.sleep(0.12 + 0.1 * (1 + math.cos(1.7 * gust)))
    end
  end)
end
