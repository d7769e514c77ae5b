-- A thin sheet is bent while it rings: a slow bend, a wobble, and a wobble that
-- is pushed repeatedly in time (Menzies, 2.3.5).
--
--   sandbell run scripts/wobble_board.lua
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.8 }, facing = { 0, -0.4, -0.8 }, gain = 80 }

local sheet = sb.body("sheet", {
  shape    = sb.plate { width = 0.5, depth = 0.32, thickness = 0.0014 },
  material = sb.material("spring steel", { base = "steel", alpha = 1, beta = 2e-9 }),
})

-- How much each mode follows, lowest mode first.
local bend = { 1, 0.9, 0.8, 0.7, 0.6 }

local function hit() sheet:strike { at = { u = 0.2, v = 0.3 }, speed = 3, mass = 0.05, hardness = 2e4 } end

sb.go(function()
  while true do
    hit()
    sb.sleep(0.5)
    sheet:deform { strain = 0.6, bend = bend, ramp = 1 }
    sb.sleep(1.2)
    sheet:deform { strain = 0, ramp = 0.5 }
    sb.sleep(1)
    hit()
    sheet:flex { depth = 0.4, rate = 4, decay = 2 }
    sb.sleep(2)
    hit()
    for _ = 1, 8 do
      sheet:flex { depth = 0.1, rate = 3, decay = 3 }
      sb.sleep(1 / 3)
    end
    sb.sleep(1)
  end
end)
