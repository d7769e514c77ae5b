-- One plate, one steel ball, four models of the blow between them.
--
--   sandbell render scripts/contact_models.lua --spectrogram out.png --events out.jsonl
--
-- impulse   the whole blow in no time at all: every mode gets its share, and the
--           sound is too bright
-- pulse     a linear spring pressed once: a half-sine, as long for every speed
-- kmethod   Hertz's contact, ball and plate pushing each other, solved at the
--           sample rate: good while a contact lasts many samples
-- gradient  the same contact, solved so that no energy is ever made; this is what
--           a speed alone gives
--
-- The last blow is dropped instead of struck: the ball falls back by itself.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 1.5 }

local plate = sb.body("plate", {
  shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.004, support = "free" },
  material = "steel",
})

-- What is struck with. The radius and the materials say how stiff the contact is;
-- gravity = 0: the hand takes the ball away after the blow.
local function blow(contact, gravity)
  return {
    at = { u = 0.31, v = 0.27 }, contact = contact, gravity = gravity,
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
      tell(contact, plate:strike(blow(contact, 0)))
      sb.sleep(1.2)
    end
    tell("dropped", plate:strike(blow("gradient")))
  end)
end
