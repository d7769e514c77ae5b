-- Lesson 1: one mode is a decaying sine.
--
--   sandbell lesson 1
local sb = require "sandbell"

sb.listener { gain = 20 }

local freq = sb.param("freq", { min = 110, max = 1760, default = 440, curve = "log" }) -- Hz
local t60 = sb.param("T60", { min = 0.1, max = 10, default = 2, curve = "log" })       -- s

local tone = sb.body("tone", { shape = sb.modes { { freq(), t60(), 1 } } })

-- Strike, and say how much stronger the mode rings than after the first button.
local function strike(impulse)
  tone:strike { impulse = impulse }
  local all = sb.strikes()
  local energy = all[#all].energies[1]
  state.first = state.first or energy
  print(string.format("a blow of %g N s: %+.1f dB against the first", impulse, 10 * math.log(energy / state.first, 10)))
end
sb.action("strike", function() strike(0.01) end)
sb.action("harder", function() strike(0.02) end)

local function near(value, wanted, share) return math.abs(value / wanted - 1) <= share end

sb.question("octave", function()
  local mode = tone:modes()[1]
  if near(mode.freq_hz, 880, 0.01) then return true, "880 Hz: one octave above 440 Hz is twice the frequency." end
  return false, string.format("The mode is at %.0f Hz now.", mode.freq_hz)
end)

sb.question("shorter", function()
  local mode = tone:modes()[1]
  if not near(mode.freq_hz, 440, 0.01) then return false, "First bring the pitch back to 440 Hz." end
  if near(mode.t60_s, 1, 0.05) then return true, "The decay rate has doubled, so T60 is one second." end
  return false, string.format("T60 is %.2f s now; it was 2 s.", mode.t60_s)
end)

sb.question("twenty", function(answer)
  local t = tone:modes()[1].t60_s
  if type(answer) ~= "number" then return false, "Type a number of seconds, as 0.25 or 1/4." end
  if near(answer, t / 3, 0.03) then return true, "The level falls evenly: 20 dB takes a third of the time that 60 " ..
    "dB takes." end
  return false, string.format("T60 is %.2f s, and the level falls by the same number of dB in every second.", t)
end, { unit = "s" })

function scene.start() sb.press("strike") end
