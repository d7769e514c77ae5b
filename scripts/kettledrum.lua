-- Two kettledrums, a fifth apart, are played: strokes, a roll, and a stroke in the
-- middle, which every timpanist avoids.
--
--   sandbell run scripts/kettledrum.lua
--   sandbell render scripts/kettledrum.lua -o soft.wav --set hard=0.1
--   sandbell modes scripts/kettledrum.lua
--
-- A skin alone has no pitch: 1, 1.59, 2.14, 2.30. Air makes a drum of it. It moves
-- with the skin and lowers the low modes most, and the kettle keeps both sides
-- apart: modes with nodal lines through the middle then stand near 1 : 1.5 : 2 : 2.5,
-- and ring for seconds, because their halves push the air to and fro. Modes without
-- such lines radiate at once and are gone: they are the thump of a stroke in the
-- middle.
local sb = require "sandbell"

local hard = sb.param("hard", { min = 0, max = 1, default = 0.4 }) -- of the sticks: 0: felt, 1: wood

sb.listener { position = { 0, 0.6, 1.8 }, facing = { 0, -0.4, -1 }, gain = 1 }

-- Polyester loses little in itself: most of what the tones lose, they radiate.
local mylar = sb.material("mylar", { base = "plastic", alpha = 1.5, beta = 1e-7 })

local function drum(name, tension, x)
  return sb.body(name, {
    shape = sb.membrane {
      radius = 0.328, tension = tension, surface_density = 0.262, max_hz = 1200, kettle = 0.42,
    },
    material = mylar, position = { x, 0, 0 },
  })
end

local high = drum("high", 3990, 0.4)
local low = drum("low", 3990 * (2 / 3) ^ 2, -0.4)

-- They are played between the middle and the rim, nearer to the rim.
local function stroke(body, speed, u)
  body:strike { at = { u = u or 0.85, v = 0.5 }, speed = speed, mass = 0.03, hardness = 3e3 * 100 ^ hard() }
end

function scene.start()
  sb.go(function()
    for _, body in ipairs { low, high, low, low, high } do
      stroke(body, 2)
      sb.sleep(0.6)
    end
    sb.sleep(0.6)
    for i = 1, 40 do -- a roll that grows
      stroke(low, 0.3 + 0.05 * i)
      sb.sleep(0.07)
    end
    stroke(high, 3)
    sb.sleep(3)
    print "in the middle: a thump"
    stroke(high, 2, 0.5)
  end)
end
