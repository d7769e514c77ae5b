-- A door on dry hinges, by two models of the friction in the hinge.
--
--   sandbell run scripts/creaking_door.lua
--   sandbell render scripts/creaking_door.lua -o slow.wav --set speed=0.4
--
-- creak   prescribed: the hinge sticks until it is stretched by `interval` per
--         newton of load, and slips with a pulse. The pitch is
--         slip / (interval load)
-- rub     computed: friction pulls a hinge pin of 20 g in an elastic seat
--         along, and the pin jumps back. Load, slip and the motion of the door
--         determine when; no two jumps are equal
local sb = require "sandbell"

sb.listener { position = { 0, 1.6, 1.2 }, facing = { 0, 0, -1 }, gain = 60 }

local speed = sb.param("speed", { min = 0.2, max = 3, default = 1, curve = "log" }) -- of the swing

local door = sb.body("door", {
  shape    = sb.plate { width = 0.9, depth = 2.0, thickness = 0.035, support = "free" },
  material = "oak",
  position = { 0, 1, 0 },
  diffuse  = { crossover = 1200, level = 0.5 },
})

-- The swing of the door: seconds, then the load on the hinge (N) and the slip
-- in it (m/s) that are reached in this time.
local swing = {
  { 0.1, 60, 0.001 }, { 0.7, 60, 0.003 }, { 0.6, 90, 0.0012 },
  { 0.8, 50, 0.004 }, { 0.4, 50, 0.0015 }, { 0.4, 0, 0.001 },
}

local function open(hinge)
  for _, s in ipairs(swing) do
    local seconds = s[1] / speed()
    hinge:set { force = s[2], slip = s[3] * speed(), ramp = seconds }
    sb.sleep(seconds)
  end
  hinge:stop()
  sb.sleep(0.8)
end

function scene.start()
  sb.go(function()
    local upper = { u = 0.02, v = 0.15 }
    print "creak: its pitch goes up and down with the swing"
    open(door:contact { kind = "creak", at = upper, force = 0, slip = 0, interval = 2e-7 })
    print "rub: it sticks and slips"
    open(door:contact {
      kind = "rub", at = upper, force = 0, slip = 0.001,
      mu_static = 0.5, mu_kinetic = 0.3, stribeck = 0.003, bristle = 5e-7, mass = 0.02, hold = 4e5,
    })
  end)
end
