-- Knocks on a door. Its lowest modes are computed one by one. The many modes
-- above the crossover are replaced with noise that follows the excitation: dull
-- for a knuckle, bright for a key.
--
--   sandbell run scripts/door_knock.lua
--
-- Change the crossover or the level while it plays, or remove `diffuse`: then
-- all modes are computed, and the door sounds nearly the same.
local sb = require "sandbell"

sb.listener { position = { 0, 1.6, 1.2 }, facing = { 0, 0, -1 }, gain = 2 }

local door = sb.body("door", {
  shape    = sb.plate { width = 0.9, depth = 2.0, thickness = 0.035, support = "pinned" },
  material = "oak",
  position = { 0, 1, 0 },
  diffuse  = { crossover = 500, level = 1 },
})

local function knuckle(speed) door:strike { at = { u = 0.6, v = 0.7 }, speed = speed, mass = 0.3, hardness = 3e5 } end
local function key(speed) door:strike { at = { u = 0.6, v = 0.6 }, speed = speed, mass = 0.02, hardness = 2e7 } end

sb.go(function()
  while true do
    for i = 1, 3 do
      knuckle(1.2 + 0.3 * i)
      sb.sleep(0.22)
    end
    sb.sleep(0.8)
    for _ = 1, 2 do
      key(2)
      sb.sleep(0.3)
    end
    sb.sleep(0.8)
    print "a hand on the door"
    local hand = door:touch { kind = "hand", damping = 400, at = { u = 0.5, v = 0.6 } }
    knuckle(2)
    sb.sleep(0.8)
    hand:lift()
  end
end)
