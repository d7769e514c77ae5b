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
    local modes = bodies[name]:modes()
    local last = math.min(#modes, 9)
    print(string.format("%s: mode 1 %.0f cents flat, mode %d %.0f cents flat", name == "bar" and "exact" or "bilinear",
      -modes[1].cents, last, -modes[last].cents))
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

-- A steel ball of 4 mm on a steel plate; a contact of less than a sample.
bodies.plate = sb.body("plate", {
  shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.01 }, material = "steel", position = { 0, -0.2, 0 },
    gain = 6,
})
-- Then, once per second, the energy of everything as a multiple of the ball's.
local dropped = 0.5 * sb.material("steel").density * 4 / 3 * math.pi * 0.002 ^ 3 * 0.3 ^ 2 -- J
for _, model in ipairs { "kmethod", "gradient" } do
  local name = model == "kmethod" and "K-method" or "discrete gradient"
  sb.action(model, function()
    local before = sb.stats().energy_now
    bodies.plate:strike { at = { u = 0.31, v = 0.27 }, contact = model, speed = 0.3, radius = 0.002, material = "steel",
      bounce = true, gravity = 9.81 }
    print(name .. ": dropped")
    for i = 1, 8 do
      sb.sleep(1)
      print(string.format("%s: after %d s, %.1f times the energy that it began with", name, i,
        math.max(sb.stats().energy_now - before, 0) / dropped))
    end
  end)
end

sb.question("semitone", function()
  if pitch() > 21999 then return false, "That is above half the sample rate: turn pitch down." end
  local mode = bodies.bilinear:modes()[1]
  if math.abs(mode.cents + 100) <= 10 then return true,
    string.format("At %.0f Hz the trapezoidal rule is a semitone flat.", mode.freq_hz) end
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
    "Sample rate over pi: from there on its error grows from step to step." end
  return false, "Turn pitch up and press Euler until it falls silent. Or compute it: from pi f T = 1 on there is no " ..
    "arcsine."
end)

function scene.start() sb.press("exact") end
