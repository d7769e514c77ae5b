-- A coin on a ringing plate, and two plates that buzz against each other.
--
--   sandbell run scripts/rattle.lua
--   sandbell render scripts/rattle.lua -o far.wav --set gap=2e-5
--
-- A loose thing on a ringing body is thrown up when the body falls away faster
-- than the thing falls, and it lands again. This chatter takes energy from low
-- modes and puts some of it into high modes. It ends when the plate moves too
-- little.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 9 }

local speed = sb.param("speed", { min = 0.05, max = 2, default = 0.5, curve = "log" }) -- of the mallet, m/s
local gap = sb.param("gap", { min = 0, max = 5e-5, default = 2e-6 }) -- between the plates at rest, m

-- On felt strips, which take more than the steel does: one strike is over when
-- the next comes.
local plate = sb.body("plate", {
  shape    = sb.plate { width = 0.3, depth = 0.25, thickness = 0.002 },
  material = sb.material("steel on felt", { base = "steel", alpha = 5, beta = 3e-8 }),
})
local sheet = sb.body("sheet", {
  shape    = sb.plate { width = 0.2, depth = 0.15, thickness = 0.003 },
  material = "brass", position = { 0.25, 0, 0 },
})

local function hit()
  plate:strike { at = { u = 0.7, v = 0.7 }, speed = speed(), mass = 0.02, hardness = 1e6 }
  sb.sleep(2)
end

function scene.start()
  sb.go(function()
    print "the plate alone"
    hit()
    print "a coin on it"
    local coin = plate:contact {
      kind = "rattle", mass = 0.005, radius = 0.01, material = "brass", at = { u = 0.3, v = 0.4 },
    }
    hit()
    coin:stop()
    print "its corner close to another plate, which rings along"
    local corner = plate:contact {
      kind = "buzz", with = sheet, apart = gap(), at = { u = 1, v = 0 }, with_at = { u = 0, v = 0 },
    }
    hit()
    corner:stop()
  end)
end
