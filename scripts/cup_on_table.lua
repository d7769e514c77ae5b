-- A cup in the air, on a table, with a finger on it, and caught by a hand: the
-- same strike, four sounds. A touch damps the modes that move at its place, and
-- no others.
--
--   sandbell run scripts/cup_on_table.lua
--
-- Change a number of a touch and save: the cup rings on.
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.5 }, facing = { 0, -0.4, -0.5 }, gain = 4 }

local cup = sb.body("cup", {
  shape    = sb.mesh("models/cup.obj", { thickness = 0.003 }),
  material = "ceramic",
})

local function tap()
  cup:strike { point = { 0.1, 0.05, 0 }, speed = 0.5, mass = 0.01, material = "steel", gravity = 0 }
end

local function t60() return ("%.2f s"):format(cup:modes()[1].t60_s) end

sb.go(function()
  while true do
    print("held in the air: the lowest mode rings for " .. t60())
    tap()
    sb.sleep(1.5)
    local table_top = cup:touch { kind = "table", point = { 0, -1, 0 } }
    print("on the table: " .. t60())
    tap()
    sb.sleep(1.5)
    local finger = cup:touch { kind = "finger", point = { -0.04, 0.1, 0 } }
    print("and a finger on its rim: " .. t60())
    tap()
    sb.sleep(1.5)
    table_top:lift()
    finger:lift()
    tap() -- and caught by a hand while it rings
    sb.sleep(0.3)
    local hand = cup:touch { kind = "hand", point = { -0.1, 0.05, 0 }, ramp = 0.05 }
    print("caught: " .. t60())
    sb.sleep(1.2)
    hand:lift()
  end
end)
