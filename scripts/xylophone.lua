-- Dice fall on a xylophone and play "The Entertainer" by Scott Joplin, 1902
-- (Raghuvanshi & Lin 2006, figure 1).
--
--   sandbell run scripts/xylophone.lua
--   sandbell render scripts/xylophone.lua -o dice.wav --events dice.jsonl
--   sandbell render scripts/xylophone.lua -o moon.wav --set gravity=1.62
--
-- The time of the fall and the travel time of the sound are known in closed
-- form. Each die is released that much before its note is due, from any height
-- and with any gravity. Then it bounces freely. The keys are tilted and have
-- little friction, so that a die soon makes room for the next.
local sb = require "sandbell"

local EAR, SOUND = { 0, 0.55, 0.9 }, 343 -- m/s
sb.listener { position = EAR, facing = { 0, -0.5, -0.9 }, gain = 80 }

local sixteenth = sb.param("sixteenth", { min = 0.1, max = 0.5, default = 0.17 })          -- s
local height = sb.param("height", { min = 0.05, max = 1, default = 0.25 })                 -- m, of the fall
local gravity = sb.param("gravity", { min = 1, max = 30, default = 9.81, curve = "log" })  -- m/s^2
local stiffness = sb.param("stiffness", { min = 1e6, max = 1e8, default = 2e7, curve = "log" }) -- Pa, of the dice

local g = gravity()
sb.world { gravity = { 0, -g, 0 } }

-- Three octaves of rosewood, C4 to C7, tuned by their lengths as in
-- marimba.lua.
local rosewood = sb.material("xylophone", { base = "rosewood", alpha = 12, restitution = 0.9, friction = 0.1 })
local WIDTH, THICKNESS, APART = 0.03, 0.012, 0.036
local nu = rosewood.poisson_ratio
local k = 10 * (1 + nu) / (12 + 11 * nu)
local slack = 4.12 + 1.025 * rosewood.youngs_modulus / (k * rosewood.shear_modulus)

local function length_for(f)
  local thin = 4.73004074 ^ 2 / (2 * math.pi) * THICKNESS
    * math.sqrt(rosewood.youngs_modulus / (12 * rosewood.density))
  local length = math.sqrt(thin / f)
  for _ = 1, 20 do
    length = math.sqrt(thin / (f * math.sqrt(1 + slack * (THICKNESS / length) ^ 2)))
  end
  return length
end

-- A bar lies along x. A quarter turn about y lays it along z; then a turn by
-- TILT about x lowers its front end. Together this is one turn about (s, c, s).
local TILT = math.rad(15)
local s, c = math.sin(TILT / 2), math.cos(TILT / 2)
local lying = { s, c, s, 2 * math.acos(c * math.sqrt(0.5)) }

local keys = {}
for key = 60, 96 do
  keys[key] = { (key - 78) * APART, 0, 0 }
  sb.body("key " .. key, {
    shape    = sb.bar { length = length_for(440 * 2 ^ ((key - 69) / 12)), width = WIDTH, thickness = THICKNESS },
    material = rosewood, position = keys[key], rotation = lying,
  })
end

-- Notes, each with its length in sixteenths (default 1); ' is an octave up.
local melody = [[
  D D#
  E C'2 E C'2 E C'6   C' D' D#'   E' C' D' E'2 B D'2   C'6 D D#
  E C'2 E C'2 E C'7   A G         F# A C' E'2 D' C' A  D'6 D D#
  E C'2 E C'2 E C'6   C' D' D#'   E' C' D' E'2 B D'2   C'6 C' D'
  E' C' D' E'2 C' D' C'   E' C' D' E'2 C' D' C'   E' C' D' E'2 B D'2   C'4 ]]
local bass = [[
  C4 G4  F4 C4  G4 G4  C4 G4
  C4 G4  F4 C4  D4 A4  G4 D4
  C4 G4  F4 C4  G4 G4  C4 G4
  C4 G4  C4 G4  G4 G4  C4 ]]
local semitone = { C = 0, D = 2, E = 4, F = 5, G = 7, A = 9, B = 11 }

-- A die of hard rubber does not ring. It is turned about x, so that it leaves
-- the keys forwards. reach() is the distance, normal to the keys, from its
-- centre to the corner that touches first.
local SIDE = 0.016
local rubber = sb.material("hard rubber", {
  base = "hard_plastic", youngs_modulus = stiffness(), restitution = 0.8, friction = 0.3,
})

local function reach(angle)
  return SIDE / 2 * (math.abs(math.cos(angle - TILT)) + math.abs(math.sin(angle - TILT)))
end

-- When a die touches a key, its centre is straight above the centre of the key.
-- It falls by h in sqrt(2 h / g). It starts behind the key by the distance that
-- it moves forwards in this time, at a share of its landing speed.
local FORWARDS = 0.45

local function play(key, due, h)
  local angle = 6 * math.random()
  local fall = math.sqrt(2 * h / g)
  local forwards = FORWARDS * g * fall
  local above = (THICKNESS / 2 + reach(angle)) / math.cos(TILT)
  local at = keys[key]
  local far = math.sqrt((EAR[1] - at[1]) ^ 2 + (EAR[2] - at[2]) ^ 2 + (EAR[3] - at[3]) ^ 2)
  sb.sleep(due - fall - far / SOUND - sb.now())
  local die = sb.body(("die for key %d at %.4f"):format(key, due), {
    shape    = sb.rigid {}, material = rubber, mass = 0.005,
    collider = { kind = "box", width = SIDE, height = SIDE, depth = SIDE },
    motion   = "free", position = { at[1], at[2] + above + h, at[3] - forwards * fall },
    rotation = { 1, 0, 0, angle }, velocity = { 0, 0, forwards },
  })
  sb.sleep(1.2)
  die:remove()
end

local function voice(notes, octave, h)
  local due = 0.2 + 1.2 * math.sqrt(2 * height() / g)
  if octave == 4 then due = due + 2 * sixteenth() end -- after the pickup
  for letter, sharp, up, count in notes:gmatch "(%u)(#?)('?)(%d*)" do
    local key = 12 * (octave + 1) + semitone[letter] + #sharp + 12 * #up
    local at = due
    sb.go(function() play(key, at, h) end)
    due = due + (tonumber(count) or 1) * sixteenth()
  end
end

function scene.start()
  voice(melody, 5, height())
  voice(bass, 4, 0.4 * height())
end
