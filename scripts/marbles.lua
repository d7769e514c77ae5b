-- A glass marble rolls across an oak board: four surfaces, two models.
--
--   sandbell run scripts/marbles.lua
--   sandbell render scripts/marbles.lua -o slow.wav --set speed=0.2
--
-- profile   the marble rides on the profile under its own weight, pressed by
--           Hertz's law; it jumps where the profile falls too fast, and lands
--           again
-- roll      the same contact, and as loud. Where many roll on one body, the
--           others are computed on a small copy of it
--
-- At last a marble rolls where there is no roughness at all: micro-impacts at
-- random distances make it heard, as often and as hard as it is fast.
--
-- The heights of a surface belong to places: a marble that comes back meets the
-- same bumps. All surfaces are shallow, so that one gain suits them: grooves of
-- 1 mm and gravel would be 20 dB louder than polished wood.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.5 }, facing = { 0, -0.4, -0.5 }, gain = 150 }

local speed = sb.param("speed", { min = 0.1, max = 2, default = 0.6, curve = "log" }) -- m/s, in the middle
local radius = 0.008

local surfaces = {
  sb.surface("polished", { kind = "noise", roughness = 2e-6, grain = 4e-4 }),
  sb.surface("rough wood", { kind = "fractal", roughness = 1e-4, exponent = 2, longest = 0.02, shortest = 2e-4 }),
  sb.surface("a grid", { kind = "grid", period = 0.04, depth = 1e-4, width = 0.006, edge = 0.002 }),
  sb.surface("sand", { kind = "gravel", roughness = 1e-5, grain = 1e-3 }),
}

local smooth = sb.surface("smooth", { kind = "noise", roughness = 0 })

-- With all modes up to 20 kHz, a path takes too long to prepare while it plays.
local board = sb.body("board", {
  shape    = sb.plate { width = 0.6, depth = 0.3, thickness = 0.01, max_hz = 10000 },
  material = "oak",
})

-- From left to right, fastest in the middle.
local function cross(kind, surface, gap)
  print(kind, surface, gap and "micro-impacts" or "")
  local marble = board:contact {
    kind = kind, surface = surface, gap_min = gap, strength = gap and 0.05,
    radius = radius, material = "glass", speed = 0, at = { u = 0.05, v = 0.3 },
  }
  marble:set { speed = speed(), at = { u = 0.5, v = 0.45 }, ramp = 0.8 }
  sb.sleep(0.8)
  marble:set { speed = 0, at = { u = 0.95, v = 0.6 }, ramp = 0.8 }
  sb.sleep(1) -- a contact at rest is silent
  marble:stop()
end

function scene.start()
  sb.go(function()
    for _, surface in ipairs(surfaces) do cross("roll", surface) end
    for _, surface in ipairs(surfaces) do cross("profile", surface) end
    cross("roll", smooth, 0.004)
  end)
end
