-- Five hits of a round glass table that does not exist, for `sandbell fit`:
--
--   for i in 1 2 3 4 5; do
--     sandbell render textures/glass/hits.lua --set hit=$i --rate 24000 --duration 1.2 -o textures/glass/hit$i.flac
--   done
--
-- Twelve modes with m nodal diameters, whose weights along a radius are Bessel functions J_m, struck at five distances
-- from the middle. Frequencies are about those of a glass disk 60 cm across and 8 mm thick; it stands on rubber feet.
local sb = require "sandbell"

local hit = sb.param("hit", { min = 1, max = 5, default = 1 })

-- m, lambda (weight J_m(lambda r), r = 1 at the rim), frequency (Hz), T60 (s), level
local modes = {
  { 2, 2.3, 115.1, 0.95, 0.8 }, { 0, 3.0, 178.5, 0.90, 1.0 }, { 3, 3.5, 265.1, 0.85, 0.7 },
  { 1, 4.5, 414.1, 0.80, 0.8 }, { 4, 4.7, 463.0, 0.74, 0.6 }, { 2, 5.9, 718.9, 0.66, 0.7 },
  { 0, 6.2, 778.0, 0.62, 0.8 }, { 3, 7.3, 1084.8, 0.52, 0.5 }, { 1, 7.7, 1214.1, 0.48, 0.6 },
  { 2, 9.2, 1703.2, 0.36, 0.5 }, { 0, 9.4, 1780.6, 0.35, 0.6 }, { 1, 10.9, 2377.4, 0.25, 0.5 },
}

local function bessel(m, x) -- J_m by its series
  local term = 1
  for i = 1, m do term = term * x / (2 * i) end
  local sum = term
  for k = 1, 40 do
    term = -term * x * x / (4 * k * (k + m))
    sum = sum + term
  end
  return sum
end

local distances = { 0.04, 0.26, 0.48, 0.70, 0.92 }

local struck = {}
for k, mode in ipairs(modes) do
  local weight = bessel(mode[1], mode[2] * distances[math.floor(hit())])
  struck[k] = { mode[3], mode[4], 2 * mode[5] * weight }
end

local glass = sb.body("glass", { shape = sb.modes(struck) })

function scene.start()
  glass:strike { impulse = 0.02 }
end
-- SPDX-License-Identifier: MIT
