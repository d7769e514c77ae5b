-- A wobble board: a thin steel sheet is bent into an arc by bringing its ends
-- nearer, is tapped, and is then bent more and less, four times per second
-- (after O'Brien, Cook & Essl 2001, figure 11). The more it is bent, the higher
-- are its tones. `wobble_board` bends pitches by formula; here they follow from
-- the shape.
--
--   sandbell render scripts/wobble_for_real.lua --duration 1.6 --spectrogram wobble.png --film 6
local sb = require "sandbell"

local elements = sb.param("elements", { min = 4, max = 60, default = 16 })  -- along its longer side
local bend = sb.param("bend", { min = 0, max = 0.05, default = 0.012 })     -- m, by which the ends come nearer
local rate = sb.param("rate", { min = 0.5, max = 10, default = 4 })         -- wobbles per second

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 1 }

local length = 0.4
local sheet = sb.deformable("sheet", {
  shape    = sb.plate { width = length, depth = 0.25, thickness = 0.0006 },
  material = sb.material("spring steel", { base = "steel", alpha = 4, beta = 5e-8 }),
  elements = elements(),
})

function scene.start()
  local x = length / 2
  -- The right end comes nearer within 0.3 s, slowly at first and at last.
  local times, values = {}, {}
  for i = 0, 24 do times[i + 1], values[i + 1] = 0.3 * i / 24, 0.5 - 0.5 * math.cos(math.pi * i / 24) end
  sheet:drive { box = { { x, -1, -1 }, { x, 1, 1 } }, displacement = { -bend(), 0, 0 }, times = times, values = values }
  -- From 0.5 s on the left end moves to and fro, by half of that.
  sheet:drive {
    box = { { -x, -1, -1 }, { -x, 1, 1 } }, displacement = { bend() / 2, 0, 0 },
    times = { 0, 0.5, 0.75 }, values = { 0, 0, 1 }, freq = rate(),
  }
  -- Gently upwards from below: else a flat sheet would snap to either side.
  sheet:push {
    box = { { -0.05, -1, -1 }, { 0.05, 1, 1 } }, force = { 0, 4, 0 },
    times = { 0, 0.1, 0.2, 0.3 }, values = { 0, 1, 1, 0 },
  }
end

-- Taps with a soft mallet.
sb.go(function()
  for _ = 1, 4 do
    sb.sleep(0.4)
    sheet:strike { at = { u = 0.4, v = 0.2 }, speed = 3, mass = 0.05, hardness = 5e4 }
  end
end)
