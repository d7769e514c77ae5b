-- A clap, a hand bell and a chime in a church: reflections from six walls, then
-- seconds of reverberation.
--
--   sandbell run scripts/church.lua
--   sandbell render scripts/church.lua -o church.wav --spectrogram church.png
--   sandbell render scripts/church.lua -o dry.wav --set room=0
--
-- The walls of the room are mirrors: each shows every body once more, and images
-- have images. Those of up to three walls are heard one by one, with the delay of
-- their distance and what walls and air have taken. What comes after is a late
-- field that rings in each octave for the T60 that follows from the walls
-- (Eyring's formula). The air takes high frequencies first.
local sb = require "sandbell"

local room = sb.param("room", { min = 0, max = 1, default = 1 })    -- 0: in the open
local carpet = sb.param("carpet", { min = 0, max = 1, default = 0 }) -- on the floor

sb.listener { position = { 2, 0.2, 9 }, facing = { 0, 0, -1 } }

if room() > 0.5 then
  sb.room {
    size = { 14, 11, 32 },
    walls = { "brick", floor = carpet() > 0.5 and "carpet" or "marble", ceiling = "wood" },
  }
  local t60 = {}
  for i, seconds in ipairs(sb.room_t60()) do t60[i] = ("%.1f"):format(seconds) end
  print("T60 from 125 Hz to 8 kHz: " .. table.concat(t60, ", ") .. " s")
end

local bell = { -- thick at the rim, where the clapper strikes
  { 0, 0.165, 0.006 }, { 0.032, 0.160, 0.006 }, { 0.046, 0.140, 0.005 }, { 0.051, 0.100, 0.005 },
  { 0.058, 0.060, 0.006 }, { 0.072, 0.025, 0.009 }, { 0.088, 0, 0.011 },
}

local clap = sb.body("clap", { -- a board that hardly rings: the room alone is heard
  shape = sb.plate { width = 0.25, depth = 0.12, thickness = 0.012 },
  material = sb.material("dull", { base = "oak", alpha = 300 }),
  position = { -1, 0, 4 },
})
local hand = sb.body("bell", { shape = sb.revolve { profile = bell }, material = "bronze", position = { 0, 0, 0 } })
local chime = sb.body("chime", {
  shape = sb.tube { length = 0.5, radius = 0.012, thickness = 0.0015 },
  material = "aluminium", position = { -4, 1, -8 },
})

function scene.start()
  sb.go(function()
    clap:strike { speed = 3, mass = 0.1, hardness = 1e8 }
    sb.sleep(3)
    for _ = 1, 3 do
      hand:strike { speed = 1.2, mass = 0.03 }
      sb.sleep(0.8)
    end
    sb.sleep(1)
    chime:strike { speed = 1, mass = 0.03, material = "wood" }
  end)
end
