-- Lesson 5: modes are shapes. A square plate, its nodal lines and its pairs.
--
--   sandbell lesson 5
local sb = require "sandbell"

sb.listener { position = { 0, 0.5, 0.5 }, facing = { 0, -0.5, -0.5 }, gain = 12 }

local aspect = sb.param("aspect", { min = 1, max = 1.3, default = 1 }) -- width over depth

local plate = sb.body("plate", {
  shape = sb.plate { width = 0.3 * aspect(), depth = 0.3, thickness = 0.002, support = "pinned", theory = "kirchhoff",
    max_hz = 6000 },
  material = "steel",
})

local function strike(u, v)
  plate:strike { at = { u = u, v = v }, speed = 0.7, mass = 0.01, hardness = 5e5 }
end
sb.action("centre", function() print("centre") strike(0.5, 0.5) end)
sb.action("corner", function() print("near a corner") strike(0.15, 0.2) end)
sb.action("quarter", function() print("a quarter along the width") strike(0.25, 0.5) end)

-- Mode (m, n): m half waves along the width, n along the depth.
local function find(m, n)
  for k, mode in ipairs(plate:modes()) do
    if mode.label:find(string.format("(%d,%d)", m, n), 1, true) then return k, mode.freq_hz end
  end
end

sb.question("one_of_pair", function()
  local all = sb.strikes()
  local last = all[#all]
  if not last then return false, "Click the plate." end
  local rings, rests = last.energies[find(1, 2)], last.energies[find(2, 1)]
  if rings <= 0.05 * last.energies[find(1, 1)] then return false, "(1,2) is weak there, near its nodal line." end
  if rests <= 0.01 * rings then return true, "You struck the nodal line of (2,1), and left it alone." end
  return false, string.format("(2,1) is only %.0f dB weaker than (1,2).", 10 * math.log(rings / rests, 10))
end)

local function apart()
  local _, low = find(2, 1)
  local _, high = find(1, 2)
  return math.abs(high - low)
end

sb.question("split", function()
  local said = string.format("The two are %.1f Hz apart", apart())
  if math.abs(apart() - 20) <= 1 then return true, said .. ": heard as roughness, and soon as two tones." end
  return false, said .. "."
end)

-- 20 is right wherever the split is.
sb.question("beats", function(answer)
  if type(answer) ~= "number" then return false, "Type a number." end
  if apart() < 0.5 then return false, "The plate is square, so there are no beats yet: turn aspect a little first." end
  if math.abs(answer / apart() - 1) <= 0.06 then return true, "Beats come at the difference of the two frequencies." end
  return false, "Subtract the frequencies of (2,1) and (1,2) in the list of modes."
end, { unit = "Hz" })

function scene.start() sb.press("corner") end
