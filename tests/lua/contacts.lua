-- Surfaces, and lasting contacts: every field they accept, and every error.
-- seconds: 1
local sb = require "sandbell"
local check = require "modules.check"
local raises, mentions = check.raises, check.mentions

local bar = sb.bar { length = 0.3, width = 0.03, thickness = 0.01 }
local a = sb.body("a", { shape = bar, material = "steel" })
local b = sb.body("b", { shape = bar, material = "oak" })
local wall = sb.body("wall", { shape = sb.rigid() })

-- --- surfaces ---------------------------------------------------------------

local made = {
  sb.surface("noise", {}),
  sb.surface("noise", { kind = "noise", seed = 3, length = 0.1, roughness = 1e-5, grain = 1e-4 }),
  sb.surface("fractal", { kind = "fractal", roughness = 1e-5, exponent = 3, longest = 0.01, shortest = 1e-4 }),
  sb.surface("grid", { kind = "grid", period = 0.01, depth = 1e-3, width = 2e-3, edge = 3e-4 }),
  sb.surface("cobbles", { kind = "cobbles", period = 0.08, depth = 8e-3, variety = 0.3, length = 1 }),
  sb.surface("gravel", { kind = "gravel" }),
  sb.surface("gravel", { kind = "gravel", length = 1,
    grains = { activity = 10, most = 500, impulse = 1e-5, shortest = 2e-5, longest = 1e-4 } }),
  sb.surface("groove", { profile = "profiles/groove.wav", height = 1e-5, spacing = 2e-4 }),
  sb.surface("map", { kind = "stored", profile = "profiles/steps.png", height = 1e-5, beyond = "mirror" }),
  sb.surface("row", { profile = "profiles/steps.png", row = 2, spacing = 1e-3, beyond = "clamp" }),
  sb.surface("row", { profile = "profiles/steps.png", row = 3, beyond = "repeat" }),
  sb.surface("machined", { profile = "profiles/machined.gltf" }), -- says that its waviness and relief are not used
}
check.equal(tostring(made[3]), "surface 'fractal'")
for i, surface in ipairs(made) do
  sb.body("of " .. i, { shape = sb.modes { { freq = 440, t60 = 1 } }, surface = surface })
end

raises("sb.surface: the name must have 1 to 63 bytes", function() sb.surface("", {}) end)
raises("sb.surface: the name must have 1 to 63 bytes", function() sb.surface(("x"):rep(64), {}) end)
mentions("sb.surface: unknown field 'ruoghness'; did you mean 'roughness'?",
  function() sb.surface("x", { ruoghness = 1 }) end)
raises("sb.surface: kind must be one of 'noise', 'fractal', 'grid', 'cobbles', 'stored', 'gravel', got 'cobble'; did you mean 'cobbles'?",
  function() sb.surface("x", { kind = "cobble" }) end)
raises("sb.surface: a stored surface needs profile = a file", function() sb.surface("x", { kind = "stored" }) end)
raises("sb.surface: grain must be a number from 1e-07 to 10 m, got 0", function() sb.surface("x", { grain = 0 }) end)
raises("sb.surface: surface: edge is 0.001; expected 0 to 0.0005",
  function() sb.surface("x", { kind = "grid", width = 5e-4, edge = 1e-3 }) end)
raises("sb.surface: grains: most must be a number from 1 to 20000 1/s, got 0",
  function() sb.surface("x", { grains = { most = 0 } }) end)
raises("sb.surface: surface: grains longest is 1e-06; expected 1e-05 to 0.01",
  function() sb.surface("x", { grains = { shortest = 1e-5, longest = 1e-6 } }) end)
for _, most in ipairs { 1, 20000 } do -- the ends of the documented ranges
  assert(sb.surface("most" .. most, { kind = "gravel",
    grains = { activity = 1e12, most = most, impulse = 1, shortest = 1e-6, longest = 0.01 } }))
end
mentions("sb.surface: grains: unknown field 'activty'; did you mean 'activity'?",
  function() sb.surface("x", { grains = { activty = 1 } }) end)
raises("sb.surface: beyond must be one of 'repeat', 'mirror', 'clamp', got 'end'",
  function() sb.surface("x", { profile = "profiles/steps.png", beyond = "end" }) end)
raises("sb.surface: profiles/steps.png: there is no row 4 of 3",
  function() sb.surface("x", { profile = "profiles/steps.png", row = 4 }) end)
for _, name in ipairs { "nothing.wav", "nothing.png", "../meshes/nothing.obj" } do
  local none, message, code = sb.surface("x", { profile = "profiles/" .. name })
  check.equal(none, nil)
  assert(message:find("sb.surface: ", 1, true) == 1 and message:find(name, 1, true), message)
  assert(message:find("/tests/", 1, true) == nil, message)
  check.equal(code, name:find "obj" and "BAD_FORMAT" or "NOT_FOUND")
end
raises("sb.body: surface must be a surface, as sb.surface gives, got 'road'",
  function() sb.body("y", { shape = bar, material = "oak", surface = "road" }) end)

-- --- contacts ------------------------------------------------------------------

local kinds = { "roll", "profile", "slide", "creak", "rub", "buzz", "rattle" }
local contacts = {}

local function begin_all()
  for _, kind in ipairs(kinds) do
    for _, with in ipairs { false, b, wall } do
      contacts[#contacts + 1] = a:contact { kind = kind, with = with or nil, speed = 0.2, radius = 0.01, force = 0.1 }
    end
  end
  contacts[#contacts + 1] = a:contact {}
  contacts[#contacts + 1] = a:contact { kind = "roll", radius = 0.008, mass = 0.01, material = "glass", stiffness = 1e9,
    exponent = 1.6, lambda = 1e8, surface = made[2], with_surface = made[3], level = 0.5, seed = 4, gap_min = 1e-3,
    gap_max = 3e-3, gaps = "poisson", eccentricity = 0.3, force = 0.1, speed = 0.4, with_speed = 0.3, slip = 0.1,
    at = { u = 0.2, v = 0.4 }, direction = { 0, -1, 0 }, ramp = 0.02 }
  contacts[#contacts + 1] = a:contact { kind = "creak", interval = 1e-4, force = 3, speed = 0.05 }
  contacts[#contacts + 1] = a:contact { kind = "rub", mu_static = 0.5, mu_kinetic = 0.3, stribeck = 0.05,
    bristle = 1e-5, hold = 1e4, speed = 0.1 }
  contacts[#contacts + 1] = a:contact { kind = "buzz", with = b, apart = 1e-5, with_at = { 0.1, 0.5 },
    with_direction = { 0, 1, 0 } }
  contacts[#contacts + 1] = a:contact { kind = "roll", gap_min = 1e-3, gaps = "even" }
  contacts[#contacts + 1] = a:contact { kind = "roll", gap_max = 1e-2, point = { 0.1, 0, 0 } }
  for _, contact in ipairs(contacts) do
    check.equal(contact:lasts(), true)
    check.equal(tostring(contact), "contact")
  end
end

local function change_all()
  for _, contact in ipairs(contacts) do
    check.equal(contact:set { force = 0.2, ramp = 0 }, contact)
    contact:set { speed = 0.5 }
    contact:set { with_speed = 0.1, slip = 0.3, ramp = 0.05 }
    contact:set { at = { u = 0.9, v = 0.1 }, ramp = 0.3 }
    contact:set { direction = { 0, -1, 0.1 } }
    contact:set { point = { 0, 0, 0 } }
    contact:set {}
  end
  local pair = a:contact { with = b }
  pair:set { with_at = { 0.2, 0.2 }, with_direction = { 0, 1, 0 } }
  pair:stop()
end

local function refused()
  local one = a:contact { kind = "slide" }
  mentions("body:contact: unknown field 'forse'; did you mean 'force'?", function() a:contact { forse = 1 } end)
  raises("body:contact: kind must be one of 'roll', 'profile', 'slide', 'creak', 'rub', 'buzz', 'rattle', got 'rol'; did you mean 'roll'?",
    function() a:contact { kind = "rol" } end)
  raises("body:contact: gaps must be one of 'even', 'poisson', got 'poison'; did you mean 'poisson'?",
    function() a:contact { gaps = "poison" } end)
  raises("body:contact: a body cannot be in contact with itself", function() a:contact { with = a } end)
  raises("body:contact: with must be a body, got 'b'", function() a:contact { with = "b" } end)
  raises("body:contact: with_at and with_direction are for a contact with another body; give with",
    function() a:contact { with_at = { 0.5, 0.5 } } end)
  raises("contact:set: with_at and with_direction are for a contact with another body; give with",
    function() one:set { with_direction = { 0, 1, 0 } } end)
  raises("body:contact: gap_max must not be less than gap_min",
    function() a:contact { gap_min = 2e-3, gap_max = 1e-3 } end)
  raises("body:contact: gap_max must be more than twice gap_min",
    function() a:contact { gap_min = 1e-6, gap_max = 1e-6 } end)
  for _, edge in ipairs { { stiffness = 1e20 }, { stiffness = 1e20, exponent = 1 }, { stiffness = 1e-3 },
    { radius = 100 }, { radius = 1e-6 }, { mass = 1e4 }, { mass = 1e-6 },
    { gap_min = 1e-6 }, { gap_min = 100 }, { gap_max = 1e-6 }, { gap_max = 100 } } do
    local touch, message = a:contact(edge)
    assert(touch, message)
    touch:stop()
  end
  raises("body:contact: surface must be a surface, as sb.surface gives, got 3", function() a:contact { surface = 3 } end)
  raises("body:contact: with_surface must be a surface, as sb.surface gives, got 'x'",
    function() a:contact { with_surface = "x" } end)
  raises("body:contact: force must be a number from 0 to 100000 N, got -1", function() a:contact { force = -1 } end)
  raises("body:contact: give at or point, not both",
    function() a:contact { at = { 0.5, 0.5 }, point = { 0, 0, 0 } } end)
  raises("body:contact: direction must not be { 0, 0, 0 }", function() a:contact { direction = { 0, 0, 0 } } end)
  mentions("contact:set: unknown field 'kind'", function() one:set { kind = "roll" } end)
  raises("contact:set: ramp must be a number from 0 to 10000 s, got -1", function() one:set { ramp = -1 } end)
  raises("contact:stop: the fade must be a number from 0 to 10000 s, got -1", function() one:stop(-1) end)
  check.equal(one:lasts(), true)
  one:stop(0)
  check.equal(one:lasts(), false)
  one:stop() -- nothing happens
  raises("contact:set: this contact is over", function() one:set { force = 1 } end)
end

local function bodies_go()
  local gone = sb.body("gone", { shape = bar, material = "steel" })
  local stone = sb.body("stone", { shape = sb.rigid { radius = 0.01 }, material = "steel" })
  local on_gone, with_gone = gone:contact { kind = "roll" }, a:contact { with = gone, kind = "slide" }
  local with_stone = a:contact { with = stone, kind = "slide" }
  gone:remove()
  stone:remove()
  for _, contact in ipairs { on_gone, with_gone, with_stone } do
    check.equal(contact:lasts(), false)
    raises("contact:set: this contact is over", function() contact:set { at = { 0.1, 0.1 } } end)
    contact:stop()
  end
  raises("body:contact: with: this body has been removed", function() a:contact { with = gone } end)
  raises("body:contact: this body has been removed", function() gone:contact {} end)
end

function scene.start()
  begin_all()
  refused()
  bodies_go()
  sb.after(0.1, change_all)
  sb.after(0.6, function()
    for _, contact in ipairs(contacts) do contact:stop(0.05) end
    for _, contact in ipairs(contacts) do check.equal(contact:lasts(), false) end
    print "done"
  end)
end
-- SPDX-License-Identifier: MIT
