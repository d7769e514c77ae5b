-- A bar on a long rod is struck once and swings past the listener, again and
-- again (after O'Brien, Cook & Essl 2001, figure 9).
--
--   sandbell run scripts/doppler.lua
--   sandbell render scripts/doppler.lua -o doppler.wav --spectrogram doppler.png
--   sandbell render scripts/doppler.lua -o slow.wav --set rod=3
--
-- While it approaches at v, its pitch is higher by 1 / (1 - v / 343); while it
-- recedes, lower by 1 / (1 + v / 343). In between the pitch falls, faster if it
-- passes nearer. With a rod of 10 m it passes at 13 m/s: 63 cents up, then 61
-- down. The script changes no pitch: only the path of the sound gets shorter
-- and longer.
local sb = require "sandbell"

local rod = sb.param("rod", { min = 0.5, max = 50, default = 10 })       -- m
local angle = sb.param("angle", { min = 5, max = 170, default = 85 })    -- degrees, at the start
local beside = sb.param("beside", { min = 0.2, max = 20, default = 1 })  -- m, from its path to the ears

-- It passes in front of the listener, from left to right.
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
