-- Five dice are thrown on a table top: nothing rings below 15 kHz.
--
--   sandbell run scripts/dice.lua
--   sandbell render scripts/dice.lua -o dice.wav --spectrogram dice.png
--   sandbell render scripts/dice.lua -o large.wav --set side=40
--
-- What is heard is the air that a die pushes when it is stopped and turned back
-- (acceleration noise): a pulse of a fifth of a millisecond, whose pitch comes
-- from the size of the die, 8 kHz at 16 mm, and whose level from how hard it
-- lands. sandbell modes scripts/dice.lua prints both.
local sb = require "sandbell"

local side = sb.param("side", { min = 8, max = 60, default = 16 }) -- mm
local speed = sb.param("speed", { min = 0.5, max = 4, default = 1.5 }) -- m/s

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.5, -1 } }

-- Held, and too thick to ring.
sb.body("table", { shape = sb.floor(), material = "oak", restitution = 0.5 })

local a = side() / 1000
local die = sb.box { width = a, height = a, depth = a, max_hz = 15000 * 16 / math.max(side(), 16) }

for i = 1, 5 do
  sb.body("die " .. i, {
    shape = die, material = "plastic", motion = "free", restitution = 0.5, friction = 0.3,
    position = { -0.25 - 1.8 * a * (i % 2), 0.12 + 1.9 * a * i, 1.6 * a * (i - 3) },
    rotation = { i, 2, 3 - i, 0.9 * i },
    velocity = { speed(), -0.2, 0.1 * (3 - i) },
    spin     = { 9 * (3 - i), 4 * i, -20 + 3 * i },
  })
end
