-- Lesson 3: where you strike decides which modes ring.
--
--   sandbell lesson 3
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 8 }

local place = sb.param("place", { min = 0, max = 1, default = 0.1 }) -- along the bar

local LENGTH = 0.36 -- m
local bar = sb.body("bar", {
  shape = sb.bar { length = LENGTH, width = 0.05, thickness = 0.0127 }, material = "aluminium",
})

-- A hand stops the bar first, so that only the new blow is heard.
local function strike(u)
  local hand = bar:touch { kind = "hand", at = { u = 0.1, v = 0.5 }, damping = 300, radius = 0.1 }
  sb.sleep(0.05)
  hand:lift()
  sb.sleep(0.02)
  bar:strike { at = { u = u, v = 0.5 }, speed = 1, mass = 0.02, hardness = 1e7 }
  print(string.format("struck at %.3f of the length", u))
end
sb.action("strike_end", function() strike(0.02) end)
sb.action("strike_centre", function() strike(0.5) end)
sb.action("strike_there", function() strike(place()) end)
sb.action("walk", function()
  for i = 0, 8 do
    strike(0.5 - i * 0.06)
    sb.sleep(0.6)
  end
end)

-- What counts: clicks, and the button that strikes where the slider is.
local mine = { strikes = { "hand", "strike_there" } }

-- Energies of flexural modes 1 to 4 after the last strike, as shares of the
-- largest, and where it was; or nil, and why not.
local function flexural()
  local all = sb.strikes()
  local last = all[#all]
  if not last then return nil, "Click the bar, or press Strike at that place." end
  local shares, most = {}, 0
  for k, mode in ipairs(bar:modes()) do
    if mode.label:match("^flexural [1-4]$") then
      shares[#shares + 1] = last.energies[k]
      most = math.max(most, last.energies[k])
    end
  end
  if most == 0 then return nil, "That blow from the side does not bend the bar up and down." end
  for i, e in ipairs(shares) do shares[i] = e / most end
  return shares, 0.5 + last.point[1] / LENGTH
end
local function db(share) return 10 * math.log(math.max(share, 1e-20), 10) end

sb.question("silent_second", function()
  local e, at = flexural()
  if not e then return false, at end
  local below = db(e[1]) - db(e[2])
  if below < 20 then
    return false, string.format("The second mode is %.0f dB %s than the first. Where does it not move?",
      math.abs(below), below < 0 and "stronger" or "weaker")
  end
  if math.abs(at - 0.5) < 0.1 then return false, "That is near the centre, the middle node. Find another one." end
  return true, string.format("The second mode is %.0f dB weaker than the first: you struck its node at 0.13 or 0.87.",
    below)
end, mine)

sb.question("node", function()
  local e, why = flexural()
  if not e then return false, why end
  local below = db(e[2]) - db(e[1])
  if below >= 20 then
    return true, "You found a node of the lowest mode, at 0.224 or 0.776 of the length. Instrument makers hang " ..
      "bars there."
  end
  return false, string.format("The first mode is %.0f dB %s than the second. It must be 20 dB weaker.", math.abs(below),
    below < 0 and "stronger" or "weaker")
end, mine)

sb.question("all_four", function()
  local e, why = flexural()
  if not e then return false, why end
  for i = 1, 4 do
    if db(e[i]) < -20 then
      local level = db(e[i]) < -60 and "silent" or string.format("%.0f dB below the strongest", -db(e[i]))
      return false, string.format("Bending mode %d is %s.", i, level)
    end
  end
  return true, "No node of these four is near the place that you struck."
end, mine)

function scene.start() sb.press("strike_end") end
