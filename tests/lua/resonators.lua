-- Touches, strain and noise: what they do, and every wrong argument.
-- seconds: 1.5
local sb = require "sandbell"
local check = require "modules.check"
local raises, nan = check.raises, check.nan

local function near(a, b, share) return math.abs(a / b - 1) < (share or 1e-9) end
local ln1000 = math.log(1000)

local bar = sb.body("bar", { shape = sb.bar { length = 0.3, width = 0.03, thickness = 0.01 }, material = "steel" })
local tone = sb.body("tone", { shape = sb.modes { { 440, 2, 1 }, { 880, 1, 1 } } })
local wall = sb.body("wall", { shape = sb.rigid() })

-- The diffuse part.
local plate = sb.plate { width = 0.5, depth = 0.4, thickness = 0.01 }
local function door(diffuse) return { shape = plate, material = "oak", diffuse = diffuse } end
raises("sb.body: diffuse needs a table { field = value, ... }, got 3", function() sb.body("door", door(3)) end)
raises("sb.body: diffuse: crossover must be a number from 50 to 15000 Hz, got 20",
  function() sb.body("door", door { crossover = 20 }) end)
raises("sb.body: diffuse: unknown field 'leval'; did you mean 'level'? (known: crossover, level, t60)",
  function() sb.body("door", door { leval = 1 }) end)
raises("sb.body: diffuse: t60 must be a number from 0.001 to 1000 s, got 0", function() sb.body("door", door { t60 = 0 }) end)
raises("sb.body: diffuse: t60 must be a number from 0.001 to 1000 s, got 'x'", function() sb.body("door", door { t60 = "x" }) end)
raises("sb.body: diffuse: t60 must be a number or a list of 1 to 16 pairs { freq, t60 }, got another table",
  function() sb.body("door", door { t60 = {} }) end)
raises("sb.body: diffuse: t60[1] must be { freq, t60 }, got 1", function() sb.body("door", door { t60 = { 1 } }) end)
raises("sb.body: diffuse: t60[1] must be { freq, t60 }, got another table", function() sb.body("door", door { t60 = { { 1 } } }) end)
raises("sb.body: diffuse: t60[1][2] must be a number from 0.001 to 1000 s, got nan",
  function() sb.body("door", door { t60 = { { 1, nan } } }) end)
raises("sb.body: diffuse: the frequencies of t60 must rise, number 2 does not",
  function() sb.body("door", door { t60 = { { 100, 1 }, { 100, 1 } } }) end)
raises("sb.body: body 'stone': diffuse needs a shape that rings, and a rigid one does not",
  function() sb.body("stone", { shape = sb.rigid(), diffuse = {} }) end)
sb.body("door", door { crossover = 500, level = 2, t60 = { { 500, 0.4 }, { 5000, 0.1 } } })
sb.body("chair", door {})

local function touches()
  local own = tone:modes()[1].t60_s
  check.equal(own, 2.0)
  local one = tone:touch { damping = 10 }
  assert(near(ln1000 / tone:modes()[1].t60_s, ln1000 / 2 + 5))
  local two = tone:touch { kind = "finger", damping = 4, radius = 0, ramp = 0 }
  assert(near(ln1000 / tone:modes()[1].t60_s, ln1000 / 2 + 7))
  check.equal(two:set { kind = "hand", ramp = 0.1 }, two)
  assert(near(ln1000 / tone:modes()[1].t60_s, ln1000 / 2 + 15))
  two:set { damping = 2 }
  assert(near(ln1000 / tone:modes()[1].t60_s, ln1000 / 2 + 6))
  check.equal(one:lift(), true)
  check.equal(one:lift(), false)
  check.equal(two:lift(0.2), true)
  check.equal(tone:modes()[1].t60_s, own, "what is lifted leaves nothing behind")
  check.equal(tostring(one), "touch")
  raises("touch:set: this touch has been lifted", function() one:set { damping = 1 } end)

  -- A node of the second mode is in the middle of the bar.
  local before = bar:modes()
  local finger = bar:touch { kind = "hand", radius = 0, at = { 0.5, 0.5 } }
  local now = bar:modes()
  assert(now[1].t60_s < before[1].t60_s / 2 and near(now[2].t60_s, before[2].t60_s))
  finger:set { at = { u = 0 } }
  assert(bar:modes()[2].t60_s < before[2].t60_s / 2)
  finger:set { point = { 0, 0, 0 } }
  finger:set { direction = { 1, 0, 0 } }
  finger:lift()
  check.equal(bar:modes()[2].t60_s, before[2].t60_s)
  for _, kind in ipairs { "finger", "hand", "felt", "table" } do bar:touch { kind = kind }:lift() end
  wall:touch { kind = "table" }:lift()

  raises("body:touch: give damping (N s/m) or kind", function() bar:touch {} end)
  raises("body:touch: give at or point, not both",
    function() bar:touch { kind = "hand", at = {}, point = { 0, 0, 0 } } end)
  raises("body:touch: at: unknown field 'w' (known: u, v)",
    function() bar:touch { kind = "hand", at = { w = 1 } } end)
  raises("body:touch: kind must be one of 'finger', 'hand', 'felt', 'table', got 'hnad'; did you mean 'hand'?",
    function() bar:touch { kind = "hnad" } end)
  raises("body:touch: damping must be a number from 0 to 1e+06 N s/m, got -1", function() bar:touch { damping = -1 } end)
  raises("touch:lift: the ramp must be a number from 0 to 10000 s, got -1",
    function() bar:touch { kind = "felt" }:lift(-1) end)
  for i = 1, 255 do bar:touch { damping = 0 } end
  raises("body:touch: this body has 256 touches already; lift some", function() bar:touch { damping = 0 } end)
end

local function strain()
  check.equal(tone:deform { strain = 0.5 }, tone)
  assert(near(tone:modes()[1].freq_hz, 440 * math.sqrt(1.5)))
  assert(near(tone:modes()[2].freq_hz, 880 * math.sqrt(1.25)))
  tone:deform { strain = 0.5, bend = { 0, 2 }, ramp = 0 }
  check.equal(tone:modes()[1].freq_hz, 440.0)
  assert(near(tone:modes()[2].freq_hz, 880 * math.sqrt(2)))
  tone:deform { strain = 0 }
  check.equal(tone:modes()[2].freq_hz, 880.0)
  check.equal(tone:flex { depth = 0.3, rate = 5, decay = 0.5, bend = { 1 } }, tone)
  tone:flex { depth = -0.1 }
  wall:deform { strain = 1 }
  wall:flex { depth = 1 }
  raises("body:deform: field 'strain' is missing", function() tone:deform {} end)
  raises("body:deform: strain must be a number from -0.95 to 19, got -1", function() tone:deform { strain = -1 } end)
  raises("body:deform: bend must be a list of 1 to 4096 numbers, got 3", function() tone:deform { strain = 0, bend = 3 } end)
  raises("body:deform: bend must be a list of 1 to 4096 numbers, got another table",
    function() tone:deform { strain = 0, bend = {} } end)
  raises("body:deform: bend[2] must be a number from -100 to 100, got nan",
    function() tone:deform { strain = 0, bend = { 1, nan } } end)
  raises("body:flex: field 'depth' is missing", function() tone:flex {} end)
  raises("body:flex: rate must be a number from 0.01 to 50 Hz, got 0", function() tone:flex { depth = 1, rate = 0 } end)
end

function scene.start()
  for _, body in ipairs { bar, tone, sb.find "door", sb.find "chair" } do
    body:strike { speed = 1 }
    body:strike { impulse = 0.1 }
    body:strike { impulse = 0.1, contact = "pulse" }
  end
  touches()
  strain()
  sb.find "door":touch { kind = "hand" }
end

sb.after(1.2, function()
  check.equal(sb.stats().muted, 0)
  print "done"
end)
-- SPDX-License-Identifier: MIT
