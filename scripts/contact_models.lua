-- One plate, one steel ball, and four models of the impact between them.
--
--   sandbell render scripts/contact_models.lua --spectrogram out.png --events out.jsonl
--
-- impulse   the whole impulse at one instant: all modes are excited, so the
--           sound is too bright
-- pulse     a linear spring: a half-sine whose duration does not depend on
--           speed
-- kmethod   Hertz's contact between ball and plate, by the trapezoidal rule
-- gradient  the same contact, solved so that energy never rises; the default
--           for a strike with a speed
--
-- The last ball is dropped: gravity brings it back, and it bounces.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 1.5 }

local plate = sb.body("plate", {
  shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.004, support = "free" },
  material = "steel",
})

-- The strike. The radius and the materials determine the stiffness of the
-- contact. Without bounce, the ball does not come back after the impact.
local function strike_def(contact, bounce)
  return {
    at = { u = 0.31, v = 0.27 }, contact = contact, bounce = bounce,
    speed = 1, radius = 0.008, material = "steel", hardness = contact == "pulse" and 4e7 or nil,
  }
end

local function tell(name, hit)
  print(string.format("%-9s %6.1f us, %6.1f N at its height, %.4f N s",
    name, hit.duration * 1e6, hit.peak_force, hit.impulse))
end

function scene.start()
  sb.go(function()
    for _, contact in ipairs { "impulse", "pulse", "kmethod", "gradient" } do
      tell(contact, plate:strike(strike_def(contact)))
      sb.sleep(1.2)
    end
    tell("dropped", plate:strike(strike_def("gradient", true)))
  end)
end
