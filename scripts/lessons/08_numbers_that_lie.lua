-- Lesson 8: numbers that lie. The same mode, computed in five ways.
-- rate: 44100
--
--   sandbell lesson 8
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 8 }

local pitch = sb.param("pitch", { min = 100, max = 44000, default = 1000, curve = "log" }) -- Hz

local bodies = {}
for _, how in ipairs { "exact", "bilinear", "euler", "naive" } do
  -- Only the naive program plays a mode above half the sample rate; the others
  -- leave it out.
  local most = how == "naive" and 44000 or 21999
  bodies[how] = sb.body(how, { shape = sb.modes { { math.min(pitch(), most), 1.5, 1 } }, discretisation = how })
  sb.action(how, function()
    if pitch() > most then
      print(string.format("%s: %.0f Hz is above half the sample rate and is left out", how, pitch()))
      return
    end
    local mode = bodies[how]:modes()[1]
    if mode.played_hz == 0 then
      print(string.format("%s: %.0f Hz is too high for it, and is silent", how, mode.freq_hz))
    elseif pitch() > sb.stats().sample_rate / 2 then
      print(string.format("%s: %.0f Hz is folded to %.0f Hz", how, mode.freq_hz, mode.played_hz))
    else
      print(string.format("%s: %.0f Hz is played at %.0f Hz, %+.0f cents", how, mode.freq_hz, mode.played_hz,
        mode.cents))
    end
    bodies[how]:strike { impulse = 0.01 }
  end)
end

sb.action("four", function()
  for _, how in ipairs { "exact", "bilinear", "euler", "naive" } do
    sb.press(how)
    sb.sleep(1)
  end
end)

-- A bar, exactly and by the trapezoidal rule.
local shape = sb.bar { length = 0.1, width = 0.02, thickness = 0.005 }
bodies.bar = sb.body("bar", { shape = shape, material = "steel", position = { -0.1, 0, 0 } })
bodies.bar_bilinear = sb.body("bar_bilinear", { shape = shape, material = "steel", position = { 0.1, 0, 0 },
  discretisation = "bilinear" })
for _, name in ipairs { "bar", "bar_bilinear" } do
  sb.action(name, function()
    local flat = {}
    for _, mode in ipairs(bodies[name]:modes()) do
      if mode.label:match("^flexural") then flat[#flat + 1] = string.format("%.0f", math.abs(mode.cents)) end
    end
    print(name == "bar" and "exact: all modes in tune" or
      "bilinear: its bending modes are flat by " .. table.concat(flat, ", ") .. " cents")
    bodies[name]:strike { at = { u = 0.02, v = 0.5 }, speed = 1, mass = 0.005, hardness = 2e7 }
  end)
end

-- Two low tones that should be one.
local low = sb.modes { { 34.6, 40, 1 } }
bodies.low = sb.body("low", { shape = low })
bodies.low_direct = sb.body("low_direct", { shape = low, discretisation = "direct" })
sb.action("low", function()
  print("exact: 34.6 Hz")
  bodies.low:strike { impulse = 0.02 }
end)
sb.action("low_both", function()
  local mode = bodies.low_direct:modes()[1]
  print(string.format("direct: %.1f Hz is played at %.3f Hz, %+.1f cents: silent together after %.0f s", mode.freq_hz,
    mode.played_hz, mode.cents, 0.5 / math.abs(mode.played_hz - mode.freq_hz)))
  bodies.low:strike { impulse = 0.02 }
  bodies.low_direct:strike { impulse = 0.02 }
end)

-- A steel ball of 4 mm on a steel plate; a contact of less than a sample. Each
-- drop has a new plate, so that the last ball is gone.
local weight = sb.material("steel").density * 4 / 3 * math.pi * 0.002 ^ 3 * 9.81 -- N
local plate, drops = nil, 0
local function new_plate()
  if plate then plate:remove() end
  plate = sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.01 }, material = "steel",
    position = { 0, -0.2, 0 }, gain = 6 })
end
new_plate()
for model, contact in pairs { kmethod = "trapezoid", gradient = "gradient" } do
  local name = model == "kmethod" and "K-method" or "discrete gradient"
  sb.action(model, function()
    drops = drops + 1
    local mine, most = drops, 0
    new_plate()
    sb.sleep(0.1)
    local before = sb.stats().energy_now
    plate:strike { at = { u = 0.31, v = 0.27 }, contact = contact, speed = 0.3, radius = 0.002, material = "steel",
      bounce = true, gravity = 9.81 }
    print(name .. ": dropped from 5 mm")
    -- It can jump as high as its energy lifts its weight.
    for step = 1, 800 do
      sb.sleep(0.01)
      if mine ~= drops then return end
      most = math.max(most, sb.stats().energy_now - before)
      if step % 100 == 0 then
        print(string.format("%s, %d s: energy for a jump of %.1f mm", name, step // 100, 1000 * most / weight))
      end
    end
  end)
end

sb.question("semitone", function()
  if pitch() > 21999 then return false, "That is above half the sample rate: turn pitch down." end
  local mode = bodies.bilinear:modes()[1]
  if math.abs(mode.cents + 100) <= 10 then return true,
    string.format("At %.0f Hz bilinear is %.0f cents flat.", mode.freq_hz, -mode.cents) end
  return false, string.format("bilinear is %.1f cents flat at %.0f Hz.", -mode.cents, mode.freq_hz)
end)

sb.question("alias", function()
  local mode = bodies.naive:modes()[1]
  if mode.freq_hz <= sb.stats().sample_rate / 2 then return false, "Turn pitch above half the sample rate first." end
  if math.abs(mode.played_hz / 5000 - 1) <= 0.05 then return true,
    string.format("%.0f Hz sounds as %.0f Hz: sample rate minus frequency.", mode.freq_hz, mode.played_hz) end
  return false, string.format("%.0f Hz sounds as %.0f Hz now.", mode.freq_hz, mode.played_hz)
end)

sb.question("limit", function(answer)
  if type(answer) ~= "number" then return false, "Type a frequency in Hz, as 8000." end
  local hz = sb.stats().sample_rate / math.pi
  if math.abs(answer / hz - 1) < 0.02 then return true,
    "Sample rate over pi: from there on the tone grows from step to step." end
  return false, "Turn pitch up and press Euler until it falls silent. Or compute it: from pi f T = 1 on there is no " ..
    "arcsine."
end, { unit = "Hz" })

function scene.start() sb.press("exact") end
