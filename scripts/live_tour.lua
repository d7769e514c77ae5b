-- A tour of what can be changed while the scene plays. Start it, leave it
-- running, change something below, save, and listen:
--
--   sandbell run scripts/live_tour.lua
--
-- The terminal prints what the save did. An error changes nothing: the old
-- version plays on, and the message shows the line.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.8 }, facing = { 0, -0.4, -0.8 }, gain = 10 }

-- 1. Retune what rings. Make `bell` stiffer (youngs_modulus = 140e9), lighter
--    (density = 6000) or duller (alpha = 20): the ringing modes glide there in
--    20 ms and keep their energy. Nothing is solved again.
local bell = sb.material("bell metal", {
  base = "bronze", youngs_modulus = 110e9, density = 8700, alpha = 1.5, beta = 1.5e-8,
})

-- 2. Change the radius or the thickness of the disk: a thin disk keeps the
--    ratios of its modes, so it glides. Change only the length of the bar
--    below: its ratios change; the new bar is solved and cross-faded in 50 ms.
sb.body("gong", {
  shape    = sb.disk { radius = 0.16, thickness = 0.004 },
  material = bell,
  position = { -0.3, 0, 0 },
  gain     = 0.5,          -- 3. ramped
})

-- 4. Copy these lines and give the copy another name: a new body, silent until
--    it is struck. Remove them: the body fades out.
sb.body("bar", {
  shape    = sb.bar { length = 0.28, width = 0.04, thickness = 0.009 },
  material = "aluminium",
  position = { 0.3, 0, 0 },
})

-- 5. `state` keeps its content over a save, and `scene.start` does not run
--    again. So the count goes on. Type RR and Enter to empty it and start
--    again.
state.beats = state.beats or 0

-- 6. The rhythm. A save ends these timers and starts new ones.
local BEAT = 0.5

local function strike(name, u, v, speed)
  local body = sb.find(name)
  if body then body:strike { at = { u = u, v = v }, speed = speed, mass = 0.02, hardness = 3e6 } end
end

sb.every(BEAT, function()
  state.beats = state.beats + 1
  if state.beats % 4 == 1 then strike("gong", 0.9, 0.5, 0.8) end
  strike("bar", 0.5 - 0.1 * (state.beats % 5), 0.5, 1.0)
end)

function scene.reload()
  print(("still here after %d beats"):format(state.beats))
end
