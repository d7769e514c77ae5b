-- Bodies and the listener: creation, removal, and every wrong argument.
-- seconds: 1.2
local sb = require "sandbell"
local check = require "modules.check"
local raises, nan, inf = check.raises, check.nan, check.inf

local shape = sb.bar { length = 0.3, width = 0.03, thickness = 0.01 }

sb.listener { position = { 0, 0.4, 0.8 }, facing = { 0, -0.3, -1 }, gain = 0.5 }
sb.listener { gain = 1 } -- what is not given stays
sb.listener {}
sb.listener { ears = "pair", spacing = 0.17, velocity = { 1, 0, 0 } }
sb.listener { ears = "measured" }
sb.listener { ears = "head", velocity = { 0, 0, 0 } }
sb.air { temperature = 0, humidity = 20, pressure = 90, absorption = false }
sb.air { absorption = true }
sb.air {}

-- Before there is one.
check.equal(sb.find "b", nil)
raises("sb.body: the name must be a string, got nil", function() sb.body() end)
raises("sb.body needs a table { field = value, ... }, got nil", function() sb.body("b") end)
raises("sb.body: shape must be a shape such as sb.bar { ... }, got nil", function() sb.body("b", {}) end)
raises("sb.body: shape must be a shape such as sb.bar { ... }, got 5",
  function() sb.body("b", { shape = 5 }) end)
raises("sb.body: shape must be a shape such as sb.bar { ... }, got a Material",
  function() sb.body("b", { shape = sb.material "steel" }) end)
raises("sb.body: body 'b': a bar needs a material", function() sb.body("b", { shape = shape }) end)
raises("sb.body: material must be a material or a name, got 3",
  function() sb.body("b", { shape = shape, material = 3 }) end)
raises("sb.body: no material called 'stele' in the library; did you mean 'steel'? (sb.materials() lists them)",
  function() sb.body("b", { shape = shape, material = "stele" }) end)
raises("sb.body: material must be a material or a name, got a Shape",
  function() sb.body("b", { shape = shape, material = shape }) end)
raises("sb.body: position must be three numbers { x, y, z } in m, got 3",
  function() sb.body("b", { shape = shape, material = "steel", position = 3 }) end)
raises("sb.body: position must be three numbers { x, y, z } in m, got another table",
  function() sb.body("b", { shape = shape, material = "steel", position = { 1, 2 } }) end)
raises("sb.body: position[3] must be a number from -1e+06 to 1e+06 m, got nan",
  function() sb.body("b", { shape = shape, material = "steel", position = { 1, 2, nan } }) end)
raises("sb.body: position[3] must be a number from -1e+06 to 1e+06 m, got '3'",
  function() sb.body("b", { shape = shape, material = "steel", position = { 1, 2, "3" } }) end)
raises("sb.body: position must be three numbers { x, y, z } in m, got another table",
  function() sb.body("b", { shape = shape, material = "steel", position = { 1, 2, 3, 4 } }) end)
raises("sb.body: position must be three numbers { x, y, z } in m, got another table",
  function() sb.body("b", { shape = shape, material = "steel", position = { 1, 2, 3, x = 4 } }) end)
raises("sb.body: position[3] must be a number from -1e+06 to 1e+06 m, got 10000000.0",
  function() sb.body("b", { shape = shape, material = "steel", position = { 1, 2, 1e7 } }) end)
raises("sb.body: gain must be a number from 0 to 1000, got -1",
  function() sb.body("b", { shape = shape, material = "steel", gain = -1 }) end)
raises("sb.body: unknown field 'gian'; did you mean 'gain'? (known: shape, material, position, gain, surface, weights, role, diffuse, nonlinear, motion, discretisation, rotation, velocity, spin, restitution, friction, mu_static, rolling, lever, drag, mass, collider, impacts)",
  function() sb.body("b", { shape = shape, material = "steel", gian = 1 }) end)
raises("sb.body: a body's name must have 1 to 63 bytes, got 0",
  function() sb.body("", { shape = shape, material = "steel" }) end)
raises("sb.body: a body's name must have 1 to 63 bytes, got 64",
  function() sb.body(("n"):rep(64), { shape = shape, material = "steel" }) end)
raises("sb.body: the name must not hold a zero byte",
  function() sb.body("n\0", { shape = shape, material = "steel" }) end)
raises("sb.body: the name must be valid UTF-8", function() sb.body("a\xff", {}) end)
raises("sb.body: the name must be valid UTF-8", function() sb.body("a\u{e4}\xc3", {}) end)
raises("sb.body: the name must not hold control characters", function() sb.body("a\27[2J", {}) end)
raises("sb.body: the name must not hold control characters", function() sb.body("a\u{9b}", {}) end)
raises("sb.find: the name must be a string, got nil", function() sb.find() end)
raises("sb.find: the name must be a string, got 3", function() sb.find(3) end)
raises("sb.listener needs a table { field = value, ... }, got nil", function() sb.listener() end)
raises("sb.listener: full_scale must be 4e-05 to 1e+06 Pa, as 2 or \"2 Pa\", got '2 kPa'",
  function() sb.listener { full_scale = "2 kPa" } end)
raises("sb.listener: give gain or full_scale, not both", function() sb.listener { full_scale = 2, gain = 1 } end)
raises("sb.listener: unknown field 'positon'; did you mean 'position'? (known: position, facing, gain, full_scale, velocity, ears, spacing)",
  function() sb.listener { positon = { 0, 0, 0 } } end)
raises("sb.listener: velocity must be at most 300 m/s, got 424",
  function() sb.listener { velocity = { 300, 0, 300 } } end)
raises("sb.air needs a table { field = value, ... }, got nil", function() sb.air() end)
raises("sb.air: absorption must be true or false, got 1", function() sb.air { absorption = 1 } end)
raises("sb.air: humidity must be a number from 0 to 100 %, got 101", function() sb.air { humidity = 101 } end)
raises("sb.listener: ears must be one of 'head', 'pair', 'pan', 'measured', or a SOFA file, own.sofa; got 'heads'",
  function() sb.listener { ears = "heads" } end)
raises("sb.listener: ears must be one of 'head', 'pair', 'pan', 'measured', or a SOFA file, own.sofa; got 3",
  function() sb.listener { ears = 3 } end)
raises("sb.listener: none.sofa: no such file in the scene's folder or the library",
  function() sb.listener { ears = "none.sofa" } end)
raises("sb.listener: profiles/text.sofa: not a SOFA file of ears (AES69, SimpleFreeFieldHRIR, two receivers)",
  function() sb.listener { ears = "profiles/text.sofa" } end)
raises("sb.listener: facing must not be { 0, 0, 0 }", function() sb.listener { facing = { 0, 0, 0 } } end)

local b = sb.body("b", { shape = shape, material = "steel", position = { 0, 0, -1 }, gain = 0.25 })
local t = sb.after(0.5, function() end)
local wall = sb.body("wall", { shape = sb.rigid() })

-- While the scene is being described.
check.equal(b:name(), "b")
check.equal(tostring(b), "body 'b'")
check.equal(sb.find "b", b)
assert(sb.find "b" ~= wall and b ~= "b")
check.equal(getmetatable(b), "locked")
for name, call in pairs {
  gain = function() b:gain() end,
  modes = function() b:modes() end,
  place = function() b:place { 0, 0, 0 } end,
  push = function() b:push { 0, 0, 0 } end,
  position = function() b:position() end,
  rotation = function() b:rotation() end,
  velocity = function() b:velocity() end,
  spin = function() b:spin() end,
  is_asleep = function() b:is_asleep() end,
  remove = function() b:remove() end,
  strike = function() b:strike { speed = 1 } end,
  touch = function() b:touch { kind = "hand" } end,
  deform = function() b:deform { strain = 0 } end,
  flex = function() b:flex { depth = 0 } end,
} do
  check.mentions("body:" .. name .. ": the scene is still being described; call this from scene.start or sb.go", call)
end
raises("sb.body: there is a body called 'b' already",
  function() sb.body("b", { shape = shape, material = "steel" }) end)
raises("Body has no 'foo'", function() return b.foo end)
raises("Body has no 'foo'", function() return b.foo.bar end)
raises("Body has no 'hit'", function() b:hit() end)
raises("body:strike: the scene is still being described; call this from scene.start or sb.go",
  function() b:strike { speed = 1 } end)
raises("body:modes: the scene is still being described; call this from scene.start or sb.go",
  function() b:modes() end)
raises("body:strike needs a Body before the colon, got nil (write object:method, not object.method)",
  function() b.strike() end)
raises("body:strike needs a Body before the colon, got a table (write object:method, not object.method)",
  function() b.strike { speed = 1 } end)
raises("body:strike needs a Body before the colon, got a Timer (write object:method, not object.method)",
  function() b.strike(t, { speed = 1 }) end)
raises("Body has no 'strik'; did you mean 'strike'?", function() b:strik { speed = 1 } end)
raises("sandbell has no 'boddy'; did you mean 'body'?", function() sb.boddy("x", {}) end)
check.mentions("attempt to index a sandbell.Body value", function() b.colour = "red" end)

local function is_finite(value)
  return type(value) == "number" and value == value and math.abs(value) < inf
end

-- Nonlinear contacts: the estimate is Hertz's, which the audio thread then plays.
local function near(a, b, share) return math.abs(a / b - 1) < share end

local function pressed()
  local ball = { speed = 1, radius = 0.005, material = "steel" }
  local impact = wall:strike(ball)
  -- A rigid wall gives nothing, so only half as much as steel on steel.
  local stiffness = 4 / 3 * math.sqrt(0.005) * 200e9 / (1 - 0.29 ^ 2)
  local mass = 4 / 3 * math.pi * 0.005 ^ 3 * 7850
  assert(near(impact.duration, 3.218065 * (mass ^ 2 / stiffness ^ 2) ^ 0.2, 1e-5), "duration " .. impact.duration)
  assert(near(impact.impulse, 2 * mass, 1e-9), "impulse " .. impact.impulse)
  assert(near(impact.peak_force, stiffness * (1.25 * mass / stiffness) ^ 0.6, 1e-9), "force " .. impact.peak_force)
  for _, contact in ipairs { "auto", "impulse", "pulse", "trapezoid", "kmethod", "gradient" } do
    ball.contact = contact
    impact = b:strike(ball)
    assert(impact.impulse > 0 and impact.impulse < 2 * mass, contact)
    assert((impact.duration > 0) == (contact ~= "impulse"), contact)
  end
  -- What is given overrides Hertz.
  local mallet = { speed = 2, mass = 0.01, stiffness = 1e5, exponent = 1, gravity = 0 }
  assert(near(wall:strike(mallet).duration, 0.993459e-3, 1e-5))
  mallet.lambda = 1e5 / 2 -- d = lambda v / K = 1
  assert(near(wall:strike(mallet).impulse, 0.01 * 2 * 1.59362426, 1e-6))
  assert(b:strike { speed = 1, material = sb.material "rubber" }.duration > b:strike { speed = 1 }.duration)
  check.equal(b:strike { speed = 0, contact = "gradient" }.impulse, 0.0)
  -- One blow, unless the script or its gravity brings the striker back.
  check.equal(b:strike { speed = 1 }.bounces, false)
  check.equal(b:strike { speed = 1, hardness = 1e6, bounce = false }.bounces, false)
  check.equal(b:strike { speed = 1, bounce = true }.bounces, true)
  check.equal(b:strike { speed = 1, gravity = 3 }.bounces, true)
  check.equal(b:strike { speed = 1, gravity = 3, bounce = false }.bounces, false)
  check.equal(b:strike { speed = 1, bounce = true, direction = { 0, 1, 0 } }.bounces, false, "it falls away")
end

local function strikes()
  local impact = b:strike { speed = 1 }
  for _, field in ipairs { "impulse", "duration", "peak_force" } do
    assert(is_finite(impact[field]) and impact[field] > 0, field)
  end
  check.equal(b:strike { impulse = 0.01 }.impulse, 0.01)
  check.equal(b:strike { impulse = 0.01 }.duration, 0.0, "an ideal impulse has no duration")
  assert(b:strike { impulse = 0.01, contact = "pulse" }.duration > 0)
  check.equal(b:strike { speed = 1, contact = "impulse" }.duration, 0.0)
  check.equal(b:strike { speed = 0 }.impulse, 0.0)
  local soft = b:strike { speed = 1, hardness = 1e4 }
  local hard = b:strike { speed = 1, hardness = 1e8 }
  assert(soft.duration > hard.duration and soft.peak_force < hard.peak_force)
  assert(b:strike { speed = 2, stiffening = 1e4 }.duration < b:strike { speed = 1, stiffening = 1e4 }.duration)
  for _, at in ipairs { {}, { 0 }, { 0, 1 }, { u = 1 }, { v = 0 }, { u = 0.3, v = 0.7 } } do
    b:strike { speed = 0.1, at = at }
  end
  b:strike { speed = 0.1, point = { 1e6, -1e6, 1e6 } }
  b:strike { speed = 0.1, direction = { 1, 0, 0 } }
  b:strike { speed = 1000, mass = 1e4, hardness = 1e13 }
  b:strike { impulse = 1e3 }
  -- Absurd: muted and counted, never heard.
  sb.body("loud", { shape = sb.modes { { 440, 1, 1000 } } }):strike { impulse = 1e4 }
  assert(is_finite(wall:strike { speed = 1 }.impulse), "a wall can be struck and is silent")
  pressed()
end

local function mode_list()
  local modes = b:modes()
  assert(#modes > 5)
  for i, mode in ipairs(modes) do
    assert(is_finite(mode.freq_hz) and is_finite(mode.t60_s) and #mode.label > 0)
    assert(i == 1 or modes[i - 1].freq_hz <= mode.freq_hz, "lowest first")
  end
  check.equal(#wall:modes(), 0)
  -- Q = pi f T60 / ln 1000
  local body = sb.body("by q", { shape = sb.modes { { freq = 440, q = 1000 }, { freq = 1000, q = 500 } } })
  local by_q = body:modes()
  body:remove()
  assert(math.abs(by_q[1].t60_s - 4.9973) < 1e-4 and math.abs(by_q[2].t60_s - 1.0994) < 1e-4)
end

local again
local function remove_and_replace()
  local gone = sb.body("gone", { shape = shape, material = "steel" })
  gone:remove()
  check.equal(tostring(gone), "body (removed)")
  check.equal(sb.find "gone", nil)
  again = sb.body("gone", { shape = shape, material = "steel" })
  assert(gone ~= again, "a new body of the same name is another one")
  raises("body:name: this body has been removed", function() gone:name() end)
  check.equal(again:name(), "gone")
  check.equal(sb.find "gone", again)
end

function scene.start()
  check.equal(b:name(), "b")
  check.equal(sb.find "b", b, "the same body as when it was described")
  check.equal(b:gain(), 0.25)
  check.equal(b:gain(1), b)
  check.equal(b:gain(), 1.0)
  check.equal(b:place { 0, 0, -2 }, b)
  raises("sb.body: there is a body called 'b' already", function() sb.body("b", { shape = shape, material = "steel" }) end)
  remove_and_replace()
  raises("body:strike needs a table { field = value, ... }, got nil", function() b:strike() end)
  raises("body:strike: give speed (m/s) or impulse (N s), one of them", function() b:strike {} end)
  raises("body:strike: give speed (m/s) or impulse (N s), one of them",
    function() b:strike { speed = 1, impulse = 1 } end)
  raises("body:strike: speed must be a number from 0 to 1000 m/s, got -1",
    function() b:strike { speed = -1 } end)
  raises("body:strike: at needs a table { field = value, ... }, got 3",
    function() b:strike { speed = 1, at = 3 } end)
  raises("body:strike: at: u must be a number from 0 to 1, got 2",
    function() b:strike { speed = 1, at = { u = 2 } } end)
  raises("body:strike: at: unknown field 'w' (known: u, v)",
    function() b:strike { speed = 1, at = { w = 2 } } end)
  raises("body:strike: at: fields have names; [1] = 0.1 does not",
    function() b:strike { speed = 1, at = { 0.1, 0.2, 0.3 } } end)
  raises("body:strike: v must be a number from 0 to 1, got '0.2'",
    function() b:strike { speed = 1, at = { 0.1, "0.2" } } end)
  raises("body:strike: give at or point, not both",
    function() b:strike { speed = 1, at = { u = 0.5 }, point = { 0, 0, 0 } } end)
  raises("body:strike: direction must not be { 0, 0, 0 }",
    function() b:strike { speed = 1, direction = { 0, 0, 0 } } end)
  raises("body:strike: unknown field 'sped'; did you mean 'speed'? (known: at, point, direction, speed, impulse, mass, radius, stiffness, exponent, lambda, hardness, contact, gravity, material, bounce, with, with_at, stiffening, curve, limit, onset, scatter, graze)",
    function() b:strike { sped = 1 } end)
  raises("body:strike: contact must be one of 'auto', 'impulse', 'pulse', 'trapezoid', 'kmethod', 'gradient', got 'auot'; did you mean 'auto'?",
    function() b:strike { speed = 1, contact = "auot" } end)
  raises("body:strike: mass must be a number from 1e-06 to 10000 kg, got 0",
    function() b:strike { speed = 1, mass = 0 } end)
  raises("body:strike: radius must be a number from 1e-06 to 100 m, got 0",
    function() b:strike { speed = 1, radius = 0 } end)
  raises("body:strike: stiffness must be a number from 0.001 to 1e+20 N/m^exponent, got -1",
    function() b:strike { speed = 1, stiffness = -1 } end)
  raises("body:strike: exponent must be a number from 1 to 4, got 0.5",
    function() b:strike { speed = 1, exponent = 0.5 } end)
  raises("body:strike: lambda must be a number from 0 to 1e+20 N s/m^(exponent+1), got 'much'",
    function() b:strike { speed = 1, lambda = "much" } end)
  raises("body:strike: gravity must be a number from -1000 to 1000 m/s^2, got 1000000.0",
    function() b:strike { speed = 1, gravity = 1e6 } end)
  raises("body:strike: bounce must be true or false, got 1",
    function() b:strike { speed = 1, bounce = 1 } end)
  local presses = "body:strike: bounce needs a mass that presses: give speed and contact = \"gradient\" or \"kmethod\", and no hardness"
  raises(presses, function() b:strike { speed = 1, hardness = 1e6, bounce = true } end)
  raises(presses, function() b:strike { speed = 1, contact = "pulse", bounce = true } end)
  raises(presses, function() b:strike { impulse = 0.1, bounce = true } end)
  raises("body:strike: material must be a material or a name, got 7",
    function() b:strike { speed = 1, material = 7 } end)
  raises("body:strike: no material called 'stel' in the library; did you mean 'steel'? (sb.materials() lists them)",
    function() b:strike { speed = 1, material = "stel" } end)
  raises("body:strike: hardness must be a number from 1 to 1e+13 N/m, got inf",
    function() b:strike { speed = 1, hardness = inf } end)
  raises("body:place needs a position { x, y, z }", function() b:place() end)
  raises("body:place: position must be three numbers { x, y, z } in m, got 3", function() b:place(3) end)
  raises("body:place: position must be three numbers { x, y, z } in m, got another table",
    function() b:place { 1, 2 } end)
  raises("body:gain: gain must be a number from 0 to 1000, got 'x'", function() b:gain("x") end)
  raises("body:gain: gain must be a number from 0 to 1000, got nan", function() b:gain(nan) end)

  strikes()
  mode_list()
  check.equal(b:place { 1, 2, 3 }, b)
  check.equal(b:gain(0), b)
  sb.listener { position = { 0, 0, 0 }, ears = "pan" } -- where a body may be, too
  sb.listener { ears = "measured" } -- while they ring
  sb.listener { ears = "head", velocity = { 0, 0, 3 } }
  sb.air { temperature = 35, absorption = false }
  b:place { 0, 0, 0 }

  b:remove()
  raises("body:strike: this body has been removed", function() b:strike { speed = 1 } end)
  raises("body:remove: this body has been removed", function() b:remove() end)
  raises("body:place: this body has been removed", function() b:place { 0, 0, 0 } end)
  raises("body:gain: this body has been removed", function() b:gain() end)
  raises("body:name: this body has been removed", function() b:name() end)
  raises("body:modes: this body has been removed", function() b:modes() end)
  raises("body:strike: this body has been removed", function() return b:strike { speed = 1 } end)
  check.equal(tostring(b), "body (removed)")

  -- A body that comes while the scene runs.
  local late = sb.body("b", { shape = sb.modes { { 440, 0.5 } } })
  check.equal(late:modes()[1].freq_hz, 440.0)
  check.near(late:modes()[1].t60_s, 0.5, 1e-12)
  late:strike { impulse = 0.001 }
  assert(late ~= b)
end

-- A thousand bodies come and go, and their places are used again.
local rounds = 0
sb.every(0.1, function()
  for i = 1, 100 do
    local name = "many" .. i
    local old = sb.find(name)
    if old then old:remove() end
    sb.body(name, { shape = shape, material = "steel" }):strike { speed = 0.01 }
  end
  rounds = rounds + 1
  if rounds == 10 then
    local stats = sb.stats()
    check.equal(stats.bodies, 104.0) -- wall, loud, again, late and these
    check.equal(stats.muted, 1.0, "the strike of 10,000 N s was too loud to play")
    check.equal(stats.late_commands, 0.0)
    print "done"
  end
end)
-- SPDX-License-Identifier: MIT
