-- Lesson 2: ratios make timbre. A string, a bar, a drum skin and a plate with
-- the same lowest mode.
--
--   sandbell lesson 2
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.8 }, facing = { 0, -0.4, -0.8 }, gain = 20 }

local fundamental = sb.param("fundamental", { min = 110, max = 440, default = 220, curve = "log" }) -- Hz
local second = sb.param("second", { min = 1, max = 6, default = 2 })
local third = sb.param("third", { min = 1, max = 9, default = 3 })

local f, steel = fundamental(), sb.material("steel")
local stiff = steel.youngs_modulus / steel.density

-- Sizes from the closed forms, so that the lowest mode is at f.
local wire, span = 0.001, 0.65
local mass = steel.density * math.pi * wire ^ 2 / 4 -- per metre
local tension = 4 * span ^ 2 * mass * f ^ 2
  - math.pi ^ 3 * steel.youngs_modulus * wire ^ 4 / (64 * span ^ 2)
local bar_length = 4.73004074 * math.sqrt(0.006 * math.sqrt(stiff / 12) / (2 * math.pi * f))
local skin = 0.26 * (2 * math.pi * 0.16 * f / 2.40482556) ^ 2
local bending = 0.002 * math.sqrt(stiff / (12 * (1 - steel.poisson_ratio ^ 2)))
local side = math.pi * math.sqrt(2 * bending / (2 * math.pi * f))

local bodies = {
  string = sb.body("string", { position = { 0, 0, -0.3 }, material = steel,
    shape = sb.string { length = span, diameter = wire, tension = tension } }),
  bar = sb.body("bar", { gain = 5, position = { 0, 0, -0.1 }, material = steel,
    shape = sb.bar { length = bar_length, width = 0.03, thickness = 0.006, theory = "euler" } }),
  skin = sb.body("skin", { gain = 0.07, position = { -0.2, 0, 0.2 }, material = steel,
    -- As if it carried no air, which makes it lower: lesson 11.
    shape = sb.membrane { radius = 0.16, tension = skin, surface_density = 0.26, max_hz = 2500,
      radiation = "quick" } }),
  plate = sb.body("plate", { gain = 1, position = { 0.25, 0, 0.2 }, material = steel,
    shape = sb.plate { width = side, depth = side, thickness = 0.002, support = "pinned", theory = "kirchhoff",
      max_hz = 6000 } }),
}
-- Three modes to build a timbre from.
local own = sb.body("own", { gain = 0.4, position = { 0, 0.2, 0 },
  shape = sb.modes { { f, 3, 1 }, { f * second(), 2, 0.8 }, { f * third(), 1.4, 0.6 } } })

for name, body in pairs(bodies) do
  sb.action(name, function()
    print(name)
    body:strike { speed = 0.5, hardness = 3e5, mass = 0.01 }
  end)
end
sb.action("own", function() print("own") own:strike { impulse = 0.01 } end)
sb.action("all", function()
  for _, name in ipairs { "string", "bar", "skin", "plate" } do
    sb.press(name)
    sb.sleep(1.2)
  end
end)

sb.question("ratio", function(answer)
  if type(answer) ~= "number" then return false, "Type a number, such as 2.5." end
  for _, mode in ipairs(bodies.bar:modes()) do
    if mode.label == "flexural 2" then
      local is = mode.freq_hz / bodies.bar:modes()[1].freq_hz
      return math.abs(answer / is - 1) < 0.01,
        math.abs(answer / is - 1) < 0.01 and "2.757, far from any octave or fifth." or
        "Divide the frequency of flexural 2 by that of flexural 1; leave out lateral and torsion."
    end
  end
end)

sb.question("harmonic", function()
  local all = sb.strikes()
  if #all < 3 then return false, "Strike it three times in a row." end
  for i = #all - 2, #all do
    if all[i].body ~= bodies.string then
      return false, "Look at the column of ratios: which body has 1, 2, 3, 4?"
    end
  end
  return true, "Only the string has (nearly) whole ratios, and a clear pitch."
end, { strikes = { "hand", "string", "bar", "skin", "plate", "own" } })

sb.question("imitate", function()
  local a, b, c = table.unpack(own:modes())
  local r2, r3 = b.freq_hz / a.freq_hz, c.freq_hz / a.freq_hz
  if math.abs(r2 / 2.7565 - 1) > 0.02 then return false, string.format("The second ratio is %.3f now.", r2) end
  if math.abs(r3 / 5.4039 - 1) > 0.02 then return false, string.format("The third ratio is %.3f now.", r3) end
  local all = sb.strikes()
  if #all == 0 or all[#all].body ~= own then return false, "Right ratios. Now press Strike my tone and listen." end
  return true, "Three numbers are enough for the ear to say: a bar."
end, { strikes = { "hand", "string", "bar", "skin", "plate", "own" } })

function scene.start() sb.press("bar") end
