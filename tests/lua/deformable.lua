-- sb.deformable: what a script can set and do, and what is refused.
-- seconds: 0.06
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

local bar = sb.bar { length = 0.1, width = 0.01, thickness = 0.01 }
sb.listener { gain = 1 }

-- What is wrong is said while the scene is described.
raises("sb.deformable: elements must be a number from 1 to 500, got 0",
  function() sb.deformable("b", { shape = bar, material = "rubber", elements = 0 }) end)
check.mentions("sb.deformable: unknown field 'element'; did you mean 'elements'?",
  function() sb.deformable("b", { shape = bar, material = "rubber", element = 3 }) end)
check.mentions("sb.deformable: hold must be one of 'free', 'clamped'",
  function() sb.deformable("b", { shape = bar, material = "rubber", hold = "glued" }) end)
check.mentions("sb.deformable: motion must be one of 'fixed', 'free'",
  function() sb.deformable("b", { shape = bar, material = "rubber", motion = "scripted" }) end)
raises("sb.deformable: a string cannot be deformable; use a bar, plate, box, tube or mesh",
  function() sb.deformable("b", { shape = sb.string { length = 1, diameter = 0.001, tension = 100 }, material = "steel" }) end)
raises("sb.deformable: a floor cannot be deformable; use a bar, plate, box, tube or mesh",
  function() sb.deformable("b", { shape = sb.floor {}, material = "steel" }) end)
check.mentions("sb.deformable: hold of a box must be free",
  function() sb.deformable("b", { shape = sb.box { width = 0.1, height = 0.1, depth = 0.1 }, material = "steel", hold = "clamped" }) end)

local soft = sb.deformable("soft", { shape = bar, material = "rubber", elements = 3 })
local held = sb.deformable("held", { shape = bar, material = "rubber", elements = 3, hold = "clamped-free", position = { 0, 1, 0 } })
local linear = soft:linear()
assert(linear:name() == "soft linear")
assert(soft:linear("other"):name() == "other")
raises("body:linear: there is a body called 'other' already", function() soft:linear("other") end)
local ball = sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel" , position = { 0, 3, 0 } })

function scene.start()
  -- A deformable body is struck like any other; the result is an estimate.
  local struck = soft:strike { speed = 1, mass = 0.002 }
  assert(struck.impulse > 0.001 and struck.impulse < 0.004, struck.impulse)
  assert(#linear:modes() > 0 and linear:strike { speed = 1, mass = 0.002 }.impulse > 0)
  held:push { at = { u = 0.9, v = 0.5 }, force = { 0, -0.1, 0 }, duration = 0.005 }
  held:drive { box = { { 0.049, -1, -1 }, { 1, 1, 1 } }, displacement = { 0, 0.001, 0 }, times = { 0, 0.01 },
    values = { 0, 1 }, release = 0.02 }
  held:gain(0.5)

  raises("body:push: give at or box, one of them", function() held:push { force = { 0, 1, 0 }, duration = 1 } end)
  raises("body:push: give duration, or times and values, one of them",
    function() held:push { at = { u = 0, v = 0 }, force = { 0, 1, 0 } } end)
  raises("body:drive: times and values must have as many numbers, got 2 and 1",
    function() held:drive { at = { u = 0, v = 0 }, times = { 0, 1 }, values = { 1 } } end)
  raises("body:drive: times[2] must not be before times[1]",
    function() held:drive { at = { u = 0, v = 0 }, times = { 1, 0 }, values = { 1, 0 } } end)
  check.mentions("held: a drive has no node between", function()
    held:drive { box = { { 5, 5, 5 }, { 6, 6, 6 } }, displacement = { 0, 1, 0 }, times = { 0 }, values = { 0 } }
  end)
  check.mentions("body 'ball' is not deformable: sb.deformable makes one", function()
    ball:drive { box = { { -1, -1, -1 }, { 1, 1, 1 } }, displacement = { 0, 1, 0 }, times = { 0 }, values = { 0 } }
  end)
  -- What needs modes says so.
  check.mentions("body 'soft' is deformable, and a touch needs a body of modes", function() soft:touch { damping = 1 } end)
  check.mentions("body 'soft' is deformable, and body:contact needs a body of modes", function() soft:contact { kind = "slide" } end)
  check.mentions("body 'soft' is deformable, and `with` needs a body of modes", function() soft:strike { speed = 1, with = ball } end)
  check.mentions("body 'soft' is deformable: its strikers have exponent = 1.5",
    function() soft:strike { speed = 1, exponent = 2 } end)
  check.mentions("body 'soft' is deformable: its strikers do not bounce", function() soft:strike { speed = 1, bounce = true } end)
  check.mentions("body 'soft' is deformable, and a new pose needs a body of modes", function() soft:place { 0, 0, 0 } end)
  raises("body:linear: bodies of modes are solved while the scene loads; call it at the top of the script",
    function() soft:linear("late") end)
  check.mentions("make this body at the top of the script",
    function() sb.deformable("late", { shape = bar, material = "rubber" }) end)
end

sb.after(0.05, function()
  -- The one that hovers has hardly moved; the held one not as a whole.
  assert(math.abs(soft:position()[2]) < 0.05, soft:position()[2])
  print "done"
end)
-- SPDX-License-Identifier: MIT
