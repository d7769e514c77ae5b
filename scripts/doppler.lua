-- A bar on a long rod is struck once and swings past the listener, again and again
-- (after O'Brien, Cook & Essl 2001, figure 9).
--
--   sandbell run scripts/doppler.lua
--   sandbell render scripts/doppler.lua -o doppler.wav --spectrogram doppler.png
--   sandbell render scripts/doppler.lua -o slow.wav --set rod=3
--
-- Coming at v, it is heard higher by the factor 1 / (1 - v / 343), going lower by
-- 1 / (1 + v / 343), and in between the pitch falls: the faster, the nearer it
-- passes. A rod of 10 m lets it pass at 13 m/s: 63 cents up, then 61 down. Nothing
-- here bends a pitch: it is only the way of the sound that gets shorter and longer.
local sb = require "sandbell"

local rod = sb.param("rod", { min = 0.5, max = 50, default = 10 })       -- m
local angle = sb.param("angle", { min = 5, max = 170, default = 85 })    -- degrees, at first
local beside = sb.param("beside", { min = 0.2, max = 20, default = 1 })  -- m, from its way to the ears

-- It passes from the left to the right, in front of the nose.
sb.listener { position = { 0, 0, beside() }, facing = { 0, 0, -1 }, gain = 25 }

local aside = math.rad(angle())
local bar = sb.body("bar", {
  shape    = sb.bar { length = 0.3, width = 0.04, thickness = 0.012 },
  material = sb.material("singing", { base = "aluminium", alpha = 0.2, beta = 1e-9 }),
  motion   = "free", position = { -rod() * math.sin(aside), rod() * (1 - math.cos(aside)), 0 },
})
sb.joint("rod", { kind = "hinge", a = bar, at = { 0, rod(), 0 }, axis = { 0, 0, 1 } })

function scene.start()
  bar:strike { at = { u = 0.9, v = 0.5 }, speed = 3, mass = 0.02, hardness = 1e7 }
end
