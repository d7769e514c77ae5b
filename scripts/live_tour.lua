-- A tour of what can be changed while it rings. Start it, leave it running,
-- change something below, save, and listen:
--
--   sandbell run scripts/live_tour.lua
--
-- The terminal says what the save did. A mistake changes nothing: the old
-- version plays on, and the message shows the line.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.8 }, facing = { 0, -0.4, -0.8 }, gain = 10 }

-- 1. Retune what rings. Make `bell` stiffer (youngs_modulus = 140e9), lighter
--    (density = 6000) or duller (alpha = 20): the sounding tone glides there in
--    20 ms, with its energy kept. Nothing is solved again.
local bell = sb.material("bell metal", {
  base = "bronze", youngs_modulus = 110e9, density = 8700, alpha = 1.5, beta = 1.5e-8,
})

-- 2. Change the radius of the disk, or its thickness: a thin disk keeps the
--    ratios of its modes, so it glides. Change the length of the bar below, and
--    nothing else: other ratios, another bar, cross-faded in 50 ms.
sb.body("gong", {
  shape    = sb.disk { radius = 0.16, thickness = 0.004 },
  material = bell,
  position = { -0.3, 0, 0 },
  gain     = 0.5,          -- 3. ramped
})

-- 4. Copy these lines, give the copy another name: a new body, silent until it
--    is struck. Take them out: the old one fades away.
sb.body("bar", {
  shape    = sb.bar { length = 0.28, width = 0.04, thickness = 0.009 },
  material = "aluminium",
  position = { 0.3, 0, 0 },
})

-- 5. `state` outlives a save; `scene.start` does not run again. So the count
--    goes on. Type RR and Enter to empty it and start afresh.
state.beats = state.beats or 0

-- 6. What happens, and when. These timers end with a save, new ones begin.
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
