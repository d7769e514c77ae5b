-- A listener walks round a hand bell that rings: its tones come and go, each at
-- places of its own.
--
--   sandbell run scripts/walk_round_a_bell.lua
--   sandbell render scripts/walk_round_a_bell.lua -o fast.wav --set turn=4
--   sandbell modes scripts/walk_round_a_bell.lua --balloon 1
--
-- A mode of a bell swings in 2, 3, 4 ... waves round the rim. Where the rim stands
-- still one hears nothing of it, so a walk once round meets 4, 6, 8 ... silent
-- places. Each such mode has a twin, turned by half a wave. A stroke on the rim
-- wakes the one that moves there and leaves the other asleep: what is silent at one
-- place is loud at the next.
local sb = require "sandbell"

local turn = sb.param("turn", { min = 2, max = 60, default = 8 })         -- seconds per round
local distance = sb.param("distance", { min = 0.3, max = 5, default = 0.8 }) -- m

local profile = { -- thick at the rim, where the clapper strikes
  { 0, 0.165, 0.006 }, { 0.032, 0.160, 0.006 }, { 0.046, 0.140, 0.005 }, { 0.051, 0.100, 0.005 },
  { 0.058, 0.060, 0.006 }, { 0.072, 0.025, 0.009 }, { 0.088, 0, 0.011 },
}

local bell = sb.body("bell", {
  shape = sb.revolve { profile = profile },
  material = sb.material("bell metal", { base = "bronze", alpha = 0.5, beta = 2e-9 }),
})

local function walk()
  local angle = 2 * math.pi * sb.now() / turn()
  local x, z = distance() * math.sin(angle), distance() * math.cos(angle)
  sb.listener { position = { x, 0.05, z }, facing = { -x, 0, -z }, gain = 3 }
end

walk()
scene.update = walk

function scene.start()
  local function strike() bell:strike { speed = 1.5, mass = 0.03, material = "wood" } end
  strike()
  sb.every(turn() / 2, strike)
end
