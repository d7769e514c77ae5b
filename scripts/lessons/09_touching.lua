-- Lesson 9: rolling, scraping, bowing.
--
--   sandbell lesson 9
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 60 }

local speed = sb.param("speed", { min = 0.02, max = 2, default = 0.5, curve = "log" }) -- m/s
local load = sb.param("load", { min = 0.1, max = 20, default = 5, curve = "log" })     -- N

local GROOVES = 0.001 -- m
local bar = sb.body("bar", {
  shape = sb.bar { length = 0.22, width = 0.05, thickness = 0.0095 }, material = "aluminium",
})
local rough = sb.surface("rough", { kind = "noise", roughness = 5e-6, grain = 2e-4 })
local smooth = sb.surface("smooth", { kind = "noise", roughness = 0 })
local grooved = sb.surface("grooved", { kind = "grid", period = GROOVES, depth = 2e-5, width = 3e-4, edge = 1e-4 })

-- One thing touches the bar at a time. It follows speed and load as they turn.
local touching, what
local function stop()
  if touching and touching:lasts() then touching:stop() end
  touching, what = nil, nil
end
local function begin(name, def)
  stop()
  bar:energies() -- begin to measure
  print(name)
  what = name
  touching = bar:contact(def)
end
sb.action("roll", function()
  begin("roll", { kind = "roll", at = { u = 0.1, v = 0.5 }, radius = 0.01, material = "steel", surface = rough,
    speed = speed(), force = load() })
end)
sb.action("ticks", function()
  begin("ticks", { kind = "roll", at = { u = 0.1, v = 0.5 }, radius = 0.01, material = "steel", surface = smooth,
    gap_min = 0.004, gap_max = 0.016, gap_time_max = 0.1, strength = 0.05, speed = speed(), force = load() })
end)
sb.action("scrape", function()
  begin("scrape", { kind = "slide", at = { u = 0.1, v = 0.5 }, radius = 0.001, material = "steel", surface = grooved,
    speed = speed(), slip = speed(), force = load() })
end)
sb.action("bow", function()
  begin("bow", { kind = "rub", at = { u = 0, v = 0.5 }, force = load(), slip = speed(),
    mu_static = 0.8, mu_kinetic = 0.3, stribeck = 0.2, bristle = 8e-6 })
end)
sb.action("stop", stop)
sb.action("three", function()
  for _, name in ipairs { "roll", "scrape", "bow" } do
    sb.press(name)
    sb.sleep(1.5)
  end
  stop()
end)

local told_speed, told_load
function scene.update()
  if not touching or not touching:lasts() or (told_speed == speed() and told_load == load()) then return end
  told_speed, told_load = speed(), load()
  if what == "roll" or what == "ticks" then
    touching:set { force = load(), speed = speed(), ramp = 0.05 }
  elseif what == "scrape" then
    touching:set { force = load(), speed = speed(), slip = speed(), ramp = 0.05 }
  else
    touching:set { force = load(), slip = speed(), ramp = 0.05 }
  end
end

sb.question("tone", function()
  if what ~= "scrape" then return false, "Press Scrape first." end
  local hz, lowest = speed() / GROOVES, bar:modes()[1].freq_hz
  if math.abs(hz / lowest - 1) <= 0.05 then return true,
    string.format("%.0f grooves a second meet the lowest mode at %.0f Hz, and the bar sings.", hz, lowest) end
  return false, string.format("The needle meets %.0f grooves a second; the lowest mode is at %.0f Hz.", hz, lowest)
end)

sb.question("bowed", function()
  if what ~= "bow" then return false, "Press Bow first." end
  local energies = bar:energies()
  if not energies then return false, "Being measured. Check again in a second." end
  local rest = 0
  for k = 2, #energies do rest = rest + energies[k] end
  -- A bar that follows the hair moves as fast as it, at the end: 0.05 v^2 J.
  if energies[1] > 0.02 * speed() ^ 2 and energies[1] > 10 * rest then return true,
    "Stick, slip, stick, slip: once per period of the bar, which keeps time." end
  return false, "It does not sing yet. Draw more slowly: friction must fall with speed."
end)

sb.question("rate", function(answer)
  if type(answer) ~= "number" then return false, "Type a number." end
  local is = speed() / GROOVES
  if math.abs(answer / is - 1) <= 0.03 then return true, "Speed over distance." end
  return false, "Divide the speed by the distance of the grooves, 1 mm."
end, { unit = "Hz" })

function scene.start()
  bar:strike { at = { u = 0, v = 0.5 }, speed = 0.1, mass = 0.005, hardness = 1e6 }
end
