-- Two octaves of rosewood bars, and a mallet whose hardness is a param:
--
--   sandbell run scripts/marimba.lua
--   sandbell render scripts/marimba.lua -o soft.wav --set hardness=1e5
--
-- All bars have the same width and thickness; only the length is tuned. So the
-- overtones are those of a uniform bar of wood (near 1 : 2.7 : 5.1), not the
-- 1 : 4 : 10 that a builder carves into the underside.
local sb = require "sandbell"

sb.listener { position = { 0, 0.5, 0.9 }, facing = { 0, -0.5, -0.9 }, gain = 20 }

local rosewood = sb.material("rosewood", {
  density = 830, youngs_modulus = 12.5e9, poisson_ratio = 0.33, alpha = 7, beta = 6e-7, hardness = 4e8,
})

local hardness = sb.param("hardness", { min = 1e5, max = 1e9, default = 5e5, curve = "log" })

-- The length L of a bar with the frequency f. A thin free bar has
--   f = (4.730^2 / 2 pi) (h / L^2) sqrt(E / 12 rho);
-- rotary inertia and shear lower it by the factor 1 / sqrt(1 + c (h / L)^2),
--   c = 4.12 + 1.025 E / (k G)   (Goens; k is Timoshenko's shear coefficient).
-- Wood has a small shear modulus G across its grain, so that c is 16, not 7.
local WIDTH, THICKNESS = 0.05, 0.016
local nu = rosewood.poisson_ratio
local k = 10 * (1 + nu) / (12 + 11 * nu)
local c = 4.12 + 1.025 * rosewood.youngs_modulus / (k * rosewood.shear_modulus)

local function length_for(f)
  local thin = 4.73004074 ^ 2 / (2 * math.pi) * THICKNESS
    * math.sqrt(rosewood.youngs_modulus / (12 * rosewood.density))
  local length = math.sqrt(thin / f)
  for _ = 1, 20 do
    length = math.sqrt(thin / (f * math.sqrt(1 + c * (THICKNESS / length) ^ 2)))
  end
  return length
end

-- C3 to C5, from left to right.
local names = { "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B" }
local bars = {}
for key = 48, 72 do
  local name = names[key % 12 + 1] .. (key // 12 - 1)
  bars[name] = sb.body(name, {
    shape    = sb.bar { length = length_for(440 * 2 ^ ((key - 69) / 12)), width = WIDTH, thickness = THICKNESS },
    material = rosewood,
    position = { (key - 60) * 0.05, 0, 0 },
  })
end

-- Beethoven, Ode to Joy: a melody, and one bass note per bar of music.
local BEAT = 0.36
local melody = [[E4 E4 F4 G4  G4 F4 E4 D4  C4 C4 D4 E4  E4. D4' D4-
                 E4 E4 F4 G4  G4 F4 E4 D4  C4 C4 D4 E4  D4. C4' C4-]]
local bass = { "C3", "G3", "C3", "G3", "C3", "G3", "C3", "C3" }
local beats_of = { ["."] = 1.5, ["'"] = 0.5, ["-"] = 2 }

-- A player never strikes the same place twice.
local function hit(name, speed)
  bars[name]:strike {
    at    = { u = 0.5 + 0.06 * (math.random() - 0.5), v = 0.5 + 0.3 * (math.random() - 0.5) },
    speed = speed * (0.95 + 0.1 * math.random()), mass = 0.03, hardness = hardness(),
  }
end

function scene.start()
  sb.go(function()
    for name, mark in melody:gmatch "(%u%d)([.'-]?)" do
      hit(name, 1.3)
      sb.sleep(BEAT * (beats_of[mark] or 1))
    end
  end)
  sb.go(function()
    for _, name in ipairs(bass) do
      hit(name, 1.0)
      sb.sleep(4 * BEAT)
    end
    for _, name in ipairs { "C3", "G3", "E4", "C5" } do hit(name, 1.0) end
  end)
end
