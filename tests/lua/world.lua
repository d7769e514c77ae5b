-- A world in which bodies move: what a script can set, read and do.
-- seconds: 2.5
local sb = require "sandbell"
local check = require "modules.check"
local raises, near, nan, inf = check.raises, check.near, check.nan, check.inf

local ball_shape = sb.sphere { radius = 0.01 }

-- What is wrong is said while the scene is described.
raises("sb.world: gravity must be three numbers { x, y, z } in m/s^2, got 3", function() sb.world { gravity = 3 } end)
raises("sb.world: rate must be a number from 60 to 10000 Hz, got 1", function() sb.world { rate = 1 } end)
raises("sb.world: unknown field 'gravty'; did you mean 'gravity'? (known: gravity, rate, wind, air, impact, squeak, occlusion, stiffening, curve, limit, onset, scatter, graze)",
  function() sb.world { gravty = { 0, 0, 0 } } end)
raises("sb.world: scatter: unknown field 'rat'; did you mean 'rate'? (known: rate, spread, level)",
  function() sb.world { scatter = { rat = 1 } } end)
raises("sb.world: graze must be true, false or a table, got 3", function() sb.world { graze = 3 } end)
raises("sb.world: give stiffening or onset, not both", function() sb.world { stiffening = 1, onset = 1 } end)
raises("sb.body: impacts: give stiffening or onset, not both",
  function() sb.body("x", { shape = ball_shape, material = "steel", impacts = { stiffening = 1, onset = 1 } }) end)
raises("sb.body: impacts: unknown field 'limt'; did you mean 'limit'? (known: stiffening, curve, limit, onset, scatter, graze)",
  function() sb.body("x", { shape = ball_shape, material = "steel", impacts = { limt = 1 } }) end)
raises("sb.world: curve must be a list of 1 to 16 { speed, level }", function() sb.world { curve = {} } end)
raises("sb.world: occlusion must be true or false, got 1", function() sb.world { occlusion = 1 } end)
check.mentions("sb.world: impact must be one of 'pulse', 'gradient', got 'loud'", function() sb.world { impact = "loud" } end)
raises("sb.body: rotation must be { x, y, z, angle }, an axis and radians about it, got 5",
  function() sb.body("b", { shape = ball_shape, material = "steel", rotation = 5 }) end)
raises("sb.body: rotation must be { x, y, z, angle }, an axis and radians about it, got another table",
  function() sb.body("b", { shape = ball_shape, material = "steel", rotation = { 0, 1, 0 } }) end)
raises("sb.body: rotation[4] must be a number from -1e+06 to 1e+06 rad, got nan",
  function() sb.body("b", { shape = ball_shape, material = "steel", rotation = { 0, 1, 0, nan } }) end)
raises("sb.body: the axis of rotation must not be { 0, 0, 0 }",
  function() sb.body("b", { shape = ball_shape, material = "steel", rotation = { 0, 0, 0, 1 } }) end)
raises('sb.body: velocity has no effect on a fixed body; give motion = "free" or "scripted"',
  function() sb.body("b", { shape = ball_shape, material = "steel", velocity = { 1, 0, 0 } }) end)
check.mentions("sb.body: motion must be one of 'fixed', 'free', 'scripted', got 'loose'",
  function() sb.body("b", { shape = ball_shape, material = "steel", motion = "loose" }) end)
check.mentions("sb.body: collider: unknown field 'raduis'; did you mean 'radius'?",
  function() sb.body("b", { shape = ball_shape, material = "steel", collider = { raduis = 1 } }) end)
check.mentions("sb.body: collider: kind must be one of 'auto', 'none', 'sphere'",
  function() sb.body("b", { shape = ball_shape, material = "steel", collider = "bal" }) end)
check.mentions("sb.body: body 'b':",
  function() sb.body("b", { shape = ball_shape, material = "steel", motion = "free", collider = "hull" }) end)
raises("sb.body: restitution must be a number from 0 to 1, got 2",
  function() sb.body("b", { shape = ball_shape, material = "steel", restitution = 2 }) end)
raises("sb.body: mass must be a number from 1e-09 to 1e+09 kg, got inf",
  function() sb.body("b", { shape = ball_shape, material = "steel", mass = inf }) end)
raises("sb.raycast: the scene is still being described; call this from scene.start or sb.go",
  function() sb.raycast({ 0, 0, 0 }, { 0, 1, 0 }) end)

sb.listener { position = { 0, 0.3, 1 }, gain = 0.1 }
sb.world { gravity = { 0, -9.81, 0 } }
local plate = sb.body("plate", { shape = sb.plate { width = 1, depth = 1, thickness = 0.01 }, material = "steel",
  restitution = 0.8 })
local ball = sb.body("ball", { shape = ball_shape, material = "steel", motion = "free", position = { 0, 1.015, 0 },
  restitution = 0.8 })
local lift = sb.body("lift", { shape = sb.box { width = 0.1, height = 0.1, depth = 0.1 }, material = "oak",
  motion = "scripted", position = { 3, 0, 0 }, rotation = { 0, 0, 2, math.pi / 2 }, velocity = { 0, 0.5, 0 } })
local swing = sb.body("swing", { shape = ball_shape, material = "glass", motion = "free", position = { 5, 1, 0 } })
raises("sb.joint: joint 'nail' needs a body, and another or the world", function() sb.joint("nail", {}) end)
raises("sb.joint: a must be a body in the scene, got 3", function() sb.joint("nail", { a = 3 }) end)
raises("sb.joint: give low and high, or neither", function() sb.joint("nail", { a = swing, low = 1 }) end)
raises("sb.joint: joint 'nail': low must not be above high",
  function() sb.joint("nail", { a = swing, low = 1, high = 0 }) end)
raises("sb.joint: joint 'nail' needs a body that is free to move", function() sb.joint("nail", { a = plate }) end)
sb.joint("nail", { kind = "hinge", a = swing, at = { 5, 1.2, 0 }, axis = { 0, 0, 1 } })
raises("sb.joint: there is a joint called 'nail' already", function() sb.joint("nail", { a = swing }) end)

local seen = {}
function scene.contact(c)
  seen[#seen + 1] = c
end

local function asks()
  local s = sb.stats()
  check.equal(s.world_bodies, 4)
  check.equal(s.world_awake, 2)
  check.equal(s.world_lost, 0)
  assert(s.world_rate >= 240 and s.world_rate <= 1000)
  near(ball:position()[2], 1.015, 0.01)
  near(lift:rotation()[3], 1, 1e-9)
  near(lift:rotation()[4], math.pi / 2, 1e-9)
  check.equal(plate:rotation()[4], 0.0)
  near(lift:velocity()[2], 0.5, 1e-12)
  check.equal(ball:is_asleep(), false)
  check.equal(plate:is_asleep(), true)
  local hit = sb.raycast({ 0.2, 1, 0.2 }, { 0, -3, 0 })
  check.equal(hit.body, plate)
  near(hit.distance, 0.995, 1e-4)
  near(hit.point[2], 0.005, 1e-4)
  near(hit.normal[2], 1, 1e-6)
  check.equal(sb.raycast({ 0.2, 1, 0.2 }, { 0, -3, 0 }, 0.5), nil)
  raises("sb.raycast needs an origin { x, y, z }", function() sb.raycast() end)
  raises("sb.raycast: direction must not be { 0, 0, 0 }", function() sb.raycast({ 0, 0, 0 }, { 0, 0, 0 }) end)
  raises("body:push needs an impulse { x, y, z }", function() ball:push() end)
  raises("body:push: body 'plate' is not free to move; give it motion = \"free\"", function() plate:push { 0, 1, 0 } end)
  raises('body:velocity: body \'plate\' is fixed; give it motion = "free" or "scripted"',
    function() plate:velocity { 0, 1, 0 } end)
  raises('body:spin: body \'plate\' is fixed; give it motion = "free" or "scripted"',
    function() plate:spin { 0, 1, 0 } end)
  raises("sb.world: the rate is decided while the scene loads; give it at the top of the script",
    function() sb.world { rate = 500 } end)
  raises("sb.joint: there is a joint called 'nail' already", function() sb.joint("nail", { a = swing }) end)
  check.mentions("body:place: rotation must be { x, y, z, angle }", function() lift:place({ 0, 0, 0 }, { 1 }) end)
  swing:push({ 0.01, 0, 0 }, { 5, 1, 0 })
end

local function later()
  near(lift:position()[2], 0.5, 0.01)
  lift:velocity { 0, 0, 0 }
  lift:spin { 0, 1, 0 }
  local to = swing:position()
  near(math.sqrt((to[1] - 5) ^ 2 + (to[2] - 1.2) ^ 2), 0.2, 1e-3)
  -- It has come down twice, and once been heard of.
  local impacts = {}
  for _, c in ipairs(seen) do
    if c.kind == "impact" then impacts[#impacts + 1] = c end
  end
  assert(#impacts >= 1)
  local first = impacts[1]
  near(first.time, 0.451524, 1e-4)
  near(first.speed, 4.42945, 1e-2)
  check.equal(first.a == plate and first.b == ball or first.a == ball and first.b == plate, true)
  near(math.abs(first.normal[2]), 1, 1e-9)
  near(first.point[2], 0.005, 1e-4)
  near(first.impulse, 1.8 * first.speed * 4 / 3 * math.pi * 1e-6 * 7850, 1e-3)
  check.equal(first.slip < 1e-6, true)
  -- Placed, it falls from there, at rest.
  ball:place({ 0.3, 0.1, 0 }, { 1, 0, 0, 1 })
  near(ball:rotation()[4], 1, 1e-9)
  check.equal(ball:velocity()[2], 0.0)
  local more = sb.body("more", { shape = ball_shape, material = "glass", motion = "free", position = { 0.4, 0.05, 0 } })
  check.equal(sb.stats().world_bodies, 5)
  more:remove()
  check.equal(sb.stats().world_bodies, 4)
  sb.world { impact = "gradient", gravity = { 0, -1.62, 0 } }
end

-- A timer finds everything where it is by then, and what it lets go falls from
-- then on, also between two control steps.
local function between_steps()
  local step = 1 / sb.stats().world_rate
  near(lift:position()[2], 0.5 * sb.now(), 0.5 * step)
  local falls = sb.body("falls", { shape = ball_shape, material = "glass", motion = "free", position = { 0.4, 2, 0 } })
  sb.after(0.1, function()
    near(falls:position()[2], 2 - 9.81 / 2 * 0.1 ^ 2, 9.81 * 0.1 * 2 * step)
    falls:remove()
  end)
end

function scene.start()
  asks()
  sb.after(0.359, between_steps)
  sb.after(1, later)
  sb.after(2, function()
    local v = ball:velocity()[2]
    assert(math.abs(v) < 1.62, "the moon's gravity")
    state.is_done = true
  end)
  sb.after(2.4, function()
    assert(state.is_done)
    print "done"
  end)
end
-- SPDX-License-Identifier: MIT
