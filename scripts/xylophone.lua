-- Dice fall on a xylophone and play "The Entertainer" (Scott Joplin, 1902).
--
--   sandbell run scripts/xylophone.lua
--   sandbell render scripts/xylophone.lua -o dice.wav --events dice.jsonl
--   sandbell render scripts/xylophone.lua -o moon.wav --set gravity=1.62
--
-- A die takes its time to fall, and its sound takes its time to the ear. Both are
-- known beforehand, so each die is let go that much before its note is due: at
-- once wherever it falls from, whatever it weighs, on any planet. It bounces as
-- it likes; the keys are tilted and waxed, so that it soon makes room.
local sb = require "sandbell"

local EAR, SOUND = { 0, 0.55, 0.9 }, 343 -- m/s
sb.listener { position = EAR, facing = { 0, -0.5, -0.9 }, gain = 80 }

local sixteenth = sb.param("sixteenth", { min = 0.1, max = 0.5, default = 0.17 })             -- s
local height = sb.param("height", { min = 0.05, max = 1, default = 0.25 })                    -- m, of the fall
local gravity = sb.param("gravity", { min = 1, max = 30, default = 9.81, curve = "log" })     -- m/s^2
local stiffness = sb.param("stiffness", { min = 1e6, max = 2e11, default = 2e7, curve = "log" }) -- Pa, of the dice
sb.world { gravity = { 0, -gravity(), 0 } }

-- Three octaves of rosewood, C4 to C7, tuned by their lengths as in marimba.lua.
local rosewood = sb.material("xylophone", { base = "rosewood", alpha = 12, restitution = 0.9, friction = 0.1 })
local WIDTH, THICKNESS, APART = 0.03, 0.012, 0.036

local function length_for(f)
  local thin = 4.73004074 ^ 2 / (2 * math.pi) * THICKNESS
    * math.sqrt(rosewood.youngs_modulus / (12 * rosewood.density))
  local length = math.sqrt(thin / f)
  for _ = 1, 20 do
    length = math.sqrt(thin / (f * math.sqrt(1 + 7.25 * (THICKNESS / length) ^ 2)))
  end
  return length
end

-- A bar lies along x. A quarter turn about y lays it along z, and then a turn by
-- TILT about x lowers its front end: together one turn about (s, c, s).
local TILT = math.rad(15)
local UP = { 0, math.cos(TILT), math.sin(TILT) } -- out of the keys
local s, c = math.sin(TILT / 2), math.cos(TILT / 2)
local lying = { s, c, s, 2 * math.acos(c * math.sqrt(0.5)) }

local rubber = sb.material("dice", {
  base = "hard_plastic", youngs_modulus = stiffness(), restitution = 0.8, friction = 0.3,
})

local keys = {}
for key = 60, 96 do
  keys[key] = { (key - 78) * APART, 0, 0 }
  sb.body("key " .. key, {
    shape    = sb.bar { length = length_for(440 * 2 ^ ((key - 69) / 12)), width = WIDTH, thickness = THICKNESS },
    material = rosewood, position = keys[key], rotation = lying,
  })
end

-- Notes and how many sixteenths they last, if not one; ' is an octave up.
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

-- Of a die that is turned by `angle` about `axis`, the corner nearest to the key is
-- so far from the middle: half a side times what UP has along each of its axes.
local SIDE = 0.016

local function reach(axis, angle)
  local n = math.sqrt(axis[1] ^ 2 + axis[2] ^ 2 + axis[3] ^ 2)
  local k = { axis[1] / n, axis[2] / n, axis[3] / n }
  local along = UP[1] * k[1] + UP[2] * k[2] + UP[3] * k[3]
  local cross = { UP[2] * k[3] - UP[3] * k[2], UP[3] * k[1] - UP[1] * k[3], UP[1] * k[2] - UP[2] * k[1] }
  local sum = 0
  for i = 1, 3 do
    sum = sum + math.abs(UP[i] * math.cos(angle) + cross[i] * math.sin(angle) + k[i] * along * (1 - math.cos(angle)))
  end
  return SIDE / 2 * sum
end

-- How long does a die that starts at `way` from the key with `velocity` fall?
-- It has to come down to `low` along UP: d + v t - g t^2 / 2 = low.
local function fall_time(way, velocity, low)
  local d = way[2] * UP[2] + way[3] * UP[3] - low
  local v = velocity[2] * UP[2] + velocity[3] * UP[3]
  local g = gravity() * UP[2]
  return (v + math.sqrt(v * v + 2 * g * d)) / g
end

-- Forwards, so that it leaves the keys; from as far behind as it takes to land
-- in the middle of one.
local FORWARDS = 0.8 -- m/s

local function play(key, due, share)
  local axis, angle = { 1, 0, 0 }, 6 * math.random()
  local velocity = { 0, 0, FORWARDS }
  local up = share * height()
  local way = { 0, up, -FORWARDS * math.sqrt(2 * up / gravity()) }
  local at = keys[key]
  local far = math.sqrt((EAR[1] - at[1]) ^ 2 + (EAR[2] - at[2]) ^ 2 + (EAR[3] - at[3]) ^ 2)
  local fall = fall_time(way, velocity, THICKNESS / 2 + reach(axis, angle))
  sb.sleep(due - fall - far / SOUND - sb.now())
  local die = sb.body(("die for key %d at %.4f"):format(key, due), {
    shape    = sb.rigid {}, material = rubber, mass = 0.005,
    collider = { kind = "box", width = SIDE, height = SIDE, depth = SIDE },
    motion   = "free", position = { at[1], at[2] + way[2], at[3] + way[3] }, velocity = velocity,
    rotation = { axis[1], axis[2], axis[3], angle },
  })
  sb.sleep(1.2)
  die:remove()
end

local function voice(notes, octave, share)
  local due = 0.2 + 1.5 * math.sqrt(2 * height() / gravity())
  if octave == 4 then due = due + 2 * sixteenth() end -- after the pickup
  for letter, sharp, up, count in notes:gmatch "(%u)(#?)('?)(%d*)" do
    local key = 12 * (octave + 1) + semitone[letter] + #sharp + 12 * #up
    local at = due
    sb.go(function() play(key, at, share) end)
    due = due + (tonumber(count) or 1) * sixteenth()
  end
end

function scene.start()
  voice(melody, 5, 1)
  voice(bass, 4, 0.4)
end
