-- Lesson 6: the time of contact colours the hit.
--
--   sandbell lesson 6
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 10 }

local hardness = sb.param("hardness", { min = 1e4, max = 1e8, default = 1e5, curve = "log" }) -- N/m
local mass = 0.02                                                                            -- kg

local bar = sb.body("bar", {
  shape = sb.bar { length = 0.36, width = 0.05, thickness = 0.0127 }, material = "aluminium",
})

local function strike(stiffness)
  local hit = bar:strike { at = { u = 0.02, v = 0.5 }, speed = 1, mass = mass, hardness = stiffness }
  print(string.format("spring of %.3g N/m: contact of %.3g ms", stiffness, hit.duration * 1000))
end
sb.action("felt", function() strike(5e4) end)
sb.action("rubber", function() strike(3e5) end)
sb.action("wood", function() strike(1e7) end)
sb.action("three", function()
  for _, name in ipairs { "felt", "rubber", "wood" } do
    sb.press(name)
    sb.sleep(1)
  end
end)
sb.action("mine", function() strike(hardness()) end)

local function last()
  local all = sb.strikes()
  return all[#all]
end
local function flexural(n)
  for k, mode in ipairs(bar:modes()) do
    if mode.label == "flexural " .. n then return k, mode.freq_hz end
  end
end

sb.question("zero", function()
  local hit = last()
  if not hit then return false, "Press Strike with my spring first." end
  local a, b = hit.energies[flexural(1)], hit.energies[flexural(2)]
  local _, hz = flexural(2)
  local periods = hit.duration * hz
  if periods > 1 and periods < 2 and b <= 0.01 * a then return true,
    string.format("The contact lasted %.3g ms, and its spectrum is zero at the second mode.", hit.duration * 1000) end
  return false, string.format("The contact lasted %.3g ms; 1.5 periods of the second mode are %.3g ms.",
    hit.duration * 1000, 1500 / hz)
end, { strikes = { "mine" } })

sb.question("bright", function()
  local hit = last()
  if not hit then return false, "Strike first." end
  local a, d = hit.energies[flexural(1)], hit.energies[flexural(4)]
  if a == 0 then return false, "That blow from the side does not bend the bar up and down." end
  if d >= 0.5 * a then return true, "A contact much shorter than the period of a mode excites it fully." end
  return false, string.format("Flexural 4 gets %.0f dB less than flexural 1.", 10 * math.log(a / d, 10))
end, { strikes = { "hand", "mine" } })

sb.question("duration", function(answer)
  local hit = last()
  if not hit then return false, "Press Strike with my spring first." end
  if type(answer) ~= "number" then return false, "Type a time in milliseconds." end
  if math.abs(answer / (hit.duration * 1000) - 1) < 0.1 then return true,
    "T = pi sqrt(m / k), but for the small yielding of the bar." end
  return false, "Put m = 0.02 kg and the stiffness of your last strike into T = pi sqrt(m / k)."
end, { strikes = { "mine" }, unit = "ms" })

function scene.start() sb.press("rubber") end
