-- Lesson 11: what reaches the ear. What the air takes, into which direction a
-- body sounds, and what a room adds.
--
--   sandbell lesson 11
local sb = require "sandbell"

local loss = sb.param("loss", { min = 0.1, max = 10, default = 1, curve = "log" })          -- of the metal
local angle = sb.param("angle", { min = 0, max = 360, default = 0 })                        -- of the fork, degrees
local absorb = sb.param("absorb", { min = 0.02, max = 1, default = 1, curve = "log" })      -- of all walls
local distance = sb.param("distance", { min = 0.2, max = 3.5, default = 0.5, curve = "log" }) -- of the ear, m

local SIZE = { 6, 3, 8 }
sb.room { size = SIZE, walls = absorb() }
sb.listener { position = { 0, 0.04, distance() }, facing = { 0, 0, -1 }, gain = 40 }

local sheet = sb.body("sheet", {
  shape = sb.plate { width = 0.3, depth = 0.24, thickness = 0.004, max_hz = 6500 },
  material = sb.material("lossy steel", { base = "steel", alpha = 1.3 * loss(), beta = 1.3e-8 * loss() }),
  position = { 0.25, 0, 0 }, gain = 0.2,
})
local fork = sb.body("fork", {
  shape = sb.mesh("models/tuning_fork.obj", { max_hz = 700 }),
  material = "steel", gain = 200,
})
local clap = sb.body("clap", { -- hardly rings: the room alone is heard
  shape = sb.modes { { 500, 0.02, 3 }, { 830, 0.02, 4 }, { 1100, 0.02, 4 }, { 1900, 0.02, 3 }, { 2900, 0.02, 2 } },
  position = { -0.25, 0, 0 }, gain = 0.03,
})

-- The prongs swing along the fork's x; at 0 degrees that is towards the ear.
local turned = 0
local function turn(degrees)
  turned = math.rad(90 + degrees)
  fork:place({ 0, 0, 0 }, { 0, 1, 0, turned })
end
local is_turning = false

-- On the outer side of a prong, near its end, by soft rubber.
local function ring()
  local c, s = math.cos(turned), math.sin(turned)
  local place = { 0.01 * c, 0.055, -0.01 * s }
  fork:strike { point = place, direction = { -c, 0, s }, speed = 1, mass = 0.02, hardness = 2e4 }
end
sb.action("sheet", function() sheet:strike { at = { u = 0.1, v = 0.15 }, speed = 1, mass = 0.01, hardness = 5e7 } end)
sb.action("fork", ring)
sb.action("round", function()
  is_turning = true
  ring()
  for degrees = 0, 720 do
    turn(angle() + degrees)
    sb.sleep(0.0125)
  end
  is_turning = false
end)
sb.action("clap", function() clap:strike { impulse = 0.01 } end)
function scene.update()
  if not is_turning then turn(angle()) end
end

local function db(ratio) return 20 * math.log(ratio, 10) end

sb.question("halved", function()
  local all = sheet:modes()
  local last = all[#all]
  if last.t60_air_s == math.huge then return false, "The sound of the sheet is still being computed: wait a little." end
  local share = last.t60_s / last.t60_material_s
  local text = string.format("At %.0f Hz T60 is %.4f s, and %.4f s by the metal alone: %.3f of that.", last.freq_hz,
    last.t60_s, last.t60_material_s, share)
  return math.abs(share - 0.5) <= 0.03, text
end)

-- The lowest mode of the fork towards the ear, against the loudest direction of a turn.
local function level()
  turn(angle())
  local function towards(a) return fork:directivity { math.sin(a), 0.04, math.cos(a) }[1] end
  local loudest = 0
  for at = 0, 359 do loudest = math.max(loudest, towards(math.rad(at))) end
  return db(towards(0) / loudest), loudest
end

sb.question("quiet", function()
  if is_turning then return false, "The fork is turning: wait until it stands." end
  local now, loudest = level()
  if loudest == 1 then return false, "The sound of the fork is still being computed: wait a little." end
  local text = string.format("The ear gets %.1f dB less than in the loudest direction.", -now)
  return now <= -18, text
end)

sb.question("front", function(answer)
  if type(answer) ~= "number" then return false, "Type a number of decibels." end
  local p = sheet:position()
  local front = db(sheet:directivity { p[1], p[2] + 1, p[3] }[2])
  if front == 0 then return false, "The sound of the sheet is still being computed: wait a little." end
  if math.abs(answer - front) <= 0.25 then return true, "The mean of cos^2 over a ball is 1/3." end
  return false, "The pressure goes with cos, the power with cos^2. What is the mean of cos^2 over all directions?"
end, { unit = "dB" })

sb.question("one_second", function()
  local t60 = sb.room_t60()[4]
  local text = string.format("At 1 kHz T60 is %.3f s.", t60)
  return math.abs(t60 - 1) <= 0.05, text
end)

-- The late field has 4 pi c / V of the direct sound at 1 m, per second, and decays.
sb.question("equal", function()
  local t60 = sb.room_t60()[4]
  if t60 < 0.1 then return false, "There is no late field yet: turn absorb down first." end
  local equal = math.sqrt(6 * math.log(10) * SIZE[1] * SIZE[2] * SIZE[3] / (4 * math.pi * 343.2 * t60))
  local text = string.format("With T60 = %.3f s: at %.3f m the direct sound is %+.1f dB against the late field.", t60,
    distance(), db(equal / distance()))
  return math.abs(distance() / equal - 1) <= 0.06, text
end)

function scene.start() sb.press("sheet") end
