-- Strike fields for sound designers, and bodies that strike each other.
-- seconds: 0.5
local sb = require "sandbell"
local check = require "modules.check"
local raises, near = check.raises, check.near

local bar = sb.bar { length = 0.3, width = 0.03, thickness = 0.01 }
local a = sb.body("a", { shape = bar, material = "steel" })
local b = sb.body("b", { shape = bar, material = "glass", role = "both" })
local wall = sb.body("wall", { shape = sb.rigid() })
local ball = sb.body("ball", { shape = sb.rigid { radius = 0.005 }, material = "steel" })
local mallet = sb.body("mallet", { shape = bar, material = "oak", role = "exciter" })
local floor = sb.body("floor", { shape = bar, material = "oak", role = "resonator" })
local held = sb.body("held", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.002, support = "clamped" },
  material = "steel" })

raises("sb.body: role must be one of 'both', 'exciter', 'resonator', got 'hitter'",
  function() sb.body("c", { shape = bar, material = "steel", role = "hitter" }) end)

local models = { "impulse", "pulse", "kmethod", "gradient" }

local function like(x, y, what)
  near(x.impulse / y.impulse, 1, 1e-12, what)
  if y.duration > 0 then near(x.duration / y.duration, 1, 1e-12, what) end
end

local function curves()
  local curve = { { 1, 0.5 }, { 3, 1.5 }, { 5, 1.7 } }
  local heard = { [0] = 0, [0.5] = 0.25, [1] = 0.5, [2] = 1.0, [4] = 1.6, [5] = 1.7, [900] = 1.7 }
  for _, contact in ipairs(models) do
    for speed, level in pairs(heard) do
      local bent = a:strike { speed = speed, contact = contact, curve = curve }
      if level == 0 then
        check.equal(bent.impulse, 0.0)
      else
        like(bent, a:strike { speed = level, contact = contact }, contact)
      end
    end
    -- The identity changes nothing.
    like(a:strike { speed = 2, contact = contact, curve = { { 10, 10 } } }, a:strike { speed = 2, contact = contact })
  end
  like(wall:strike { impulse = 0.02, mass = 0.01, curve = { { 10, 5 } } }, wall:strike { impulse = 0.01, mass = 0.01 })
  raises("body:strike: curve must be a list of 1 to 16 { speed, level }", function() a:strike { speed = 1, curve = {} } end)
  raises("body:strike: curve must be a list of 1 to 16 { speed, level }", function() a:strike { speed = 1, curve = 3 } end)
  raises("body:strike: curve[2] must be { speed, level }, got 3",
    function() a:strike { speed = 1, curve = { { 1, 1 }, 3 } } end)
  raises("body:strike: curve[1] must be { speed, level }, got another table",
    function() a:strike { speed = 1, curve = { { 1, 1, 1 } } } end)
  raises("body:strike: curve[1][2] must be a number from 0 to 1000 m/s, got -1",
    function() a:strike { speed = 1, curve = { { 1, -1 } } } end)
  raises("body:strike: curve[2]: its speed must be above 2.5 m/s",
    function() a:strike { speed = 1, curve = { { 2.5, 1 }, { 2.5, 2 } } } end)
end

local function limits()
  for _, contact in ipairs(models) do
    for _, lambda in ipairs { 0, 1e9 } do
      local strike = { speed = 3, mass = 0.01, contact = contact, lambda = lambda, limit = 0.02 }
      near(wall:strike(strike).impulse, 0.02, contact == "impulse" and 1e-12 or 1e-9, contact)
      strike.speed = 0.1
      local free = wall:strike(strike).impulse
      strike.limit = nil
      check.equal(wall:strike(strike).impulse, free, "far below the limit")
    end
  end
  check.equal(a:strike { impulse = 5, limit = 0.5 }.impulse, 0.5)
  raises("body:strike: limit must be a number from 1e-12 to 10000 N s, got 0",
    function() a:strike { speed = 1, limit = 0 } end)
end

local function onsets()
  for _, contact in ipairs { "pulse", "kmethod", "gradient" } do
    for _, mass in ipairs { 0.001, 0.1 } do
      local strike = { speed = 2, mass = mass, contact = contact }
      local soft = wall:strike(strike).duration
      strike.onset = 2
      near(wall:strike(strike).duration / soft, 0.80644393, 1e-7, contact)
      strike.onset = 0.2
      near(wall:strike(strike).duration / soft, 0.48574161, 1e-7, contact)
      strike.onset = 1000
      near(wall:strike(strike).duration / soft, 1, 1e-3, contact)
    end
  end
  raises("body:strike: give stiffening or onset, not both",
    function() a:strike { speed = 1, stiffening = 1, onset = 1 } end)
end

local function scattering()
  local before = sb.stats().strikes
  for _, contact in ipairs(models) do
    a:strike { speed = 1, contact = contact, scatter = 3 }
    a:strike { speed = 1, contact = contact, scatter = { rate = 3, spread = 0.001, level = 1 } }
  end
  a:strike { speed = 1, scatter = {} }
  a:strike { impulse = 0.01, scatter = 100 }
  a:strike { speed = 1, with = b, contact = "pulse", scatter = 4 }
  state.before = before
  raises("body:strike: scatter must be a number from 0 to 1000 s/m, got 'much'",
    function() a:strike { speed = 1, scatter = "much" } end)
  raises("body:strike: scatter: spread must be a number from 0.0001 to 10 s, got 0",
    function() a:strike { speed = 1, scatter = { spread = 0 } } end)
  raises("body:strike: scatter: unknown field 'rat'; did you mean 'rate'? (known: rate, spread, level)",
    function() a:strike { speed = 1, scatter = { rat = 1 } } end)
end

local function grazing()
  local function at(degrees, graze)
    local t = math.rad(degrees)
    return a:strike { speed = 2, mass = 0.01, direction = { math.sin(t), -math.cos(t), 0 },
      graze = graze }
  end
  local straight = at(0, false)
  like(at(0, true), straight, "straight in")
  near(straight.graze, 0, 0, "no graze")
  near(at(60, false).graze, 0, 0, "not asked to graze")
  for _, degrees in ipairs { 20, 45, 70 } do
    local t = math.rad(degrees)
    local r = at(degrees, true)
    near(r.graze, 0.06 * math.sin(t) ^ 2, 1e-9, "how long it scrapes")
    near(at(degrees, { time = 0.6 }).graze, 0.6 * math.sin(t) ^ 2, 1e-9, "as long as is said")
    assert(r.impulse < straight.impulse * math.cos(t) * 1.05)
  end
  at(80, { roughness = 1e-5 })
  at(80, { slide = 0, level = 3 })
  at(80, { slide = 0.5, roughness = 1e-5, time = 0.01 })
  a:strike { speed = 1, with = b, direction = { 1, -1, 0 }, graze = true }
  near(a:strike { speed = 1, graze = true }.graze, 0, 0, "no direction is straight in")
  raises("body:strike: graze must be true, false or a table, got 3",
    function() a:strike { speed = 1, graze = 3 } end)
  raises("body:strike: graze: slide must be a number from 0 to 1, got 2",
    function() a:strike { speed = 1, graze = { slide = 2 } } end)
  raises("body:strike: graze: time must be a number from 0.001 to 10 s, got 0",
    function() a:strike { speed = 1, graze = { time = 0 } } end)
  raises("body:strike: graze: unknown field 'tim'; did you mean 'time'? (known: time, roughness, slide, level)",
    function() a:strike { speed = 1, graze = { tim = 1 } } end)
end

local function two()
  -- A ball that is a body strikes as a ball that is said.
  local said = { speed = 1, radius = 0.005, material = "steel" }
  for _, contact in ipairs(models) do
    said.contact = contact
    like(a:strike { speed = 1, with = ball, contact = contact }, a:strike(said), contact)
  end
  a:strike { speed = 1, with = mallet }
  a:strike { speed = 1, with = mallet, with_at = { 0.1, 0.5 }, at = { u = 0.2 }, direction = { 0, -1, 0 } }
  wall:strike { speed = 1, with = b }
  for _, contact in ipairs(models) do a:strike { speed = 1, with = b, contact = contact } end
  a:strike { speed = 1, with = b, with_at = { 0.1, 0.5 }, scatter = 5 }
  a:strike { speed = 1, with = held, mass = 0.2, contact = "pulse" }
  mallet:strike { speed = 1 } -- in silence
  raises("body:strike: body 'floor' is a resonator and cannot strike",
    function() a:strike { speed = 1, with = floor } end)
  raises("body:strike: body 'a' cannot strike itself", function() a:strike { speed = 1, with = a } end)
  raises("body:strike: body 'held' cannot move as a whole; give the mass that it strikes with",
    function() a:strike { speed = 1, with = held } end)
  raises("body:strike: body 'wall' cannot move as a whole; give the mass that it strikes with",
    function() a:strike { speed = 1, with = wall } end)
  raises("body:strike: with must be a body, got 'ball'", function() a:strike { speed = 1, with = "ball" } end)
  raises("body:strike: give with or material, not both",
    function() a:strike { speed = 1, with = ball, material = "glass" } end)
  raises("body:strike: with_at needs with",
    function() a:strike { speed = 1, with_at = { 0.5, 0.5 } } end)
  raises("body:strike: with_at: u must be a number from 0 to 1, got 2",
    function() a:strike { speed = 1, with = b, with_at = { u = 2 } } end)
  local gone = sb.body("gone", { shape = bar, material = "steel" })
  gone:remove()
  raises("body:strike: with: this body has been removed", function() a:strike { speed = 1, with = gone } end)
end

local heard = {}
function scene.contact(c)
  heard[#heard + 1] = c.b and c.a:name() .. " " .. c.b:name() or c.a:name()
end

function scene.start()
  a:strike { speed = 1, with = ball }
  curves()
  limits()
  onsets()
  scattering()
  grazing()
  two()
end

sb.after(0.4, function()
  assert(#heard > 50)
  check.equal(heard[1], "a ball")
  check.equal(heard[2], "a")
  check.equal(sb.stats().muted, 0.0)
  print "done"
end)
-- SPDX-License-Identifier: MIT
