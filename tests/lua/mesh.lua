-- Meshes: what sb.mesh accepts, the errors for everything else, and that its
-- bodies ring. Needs meshes/ beside it.
-- seconds: 0.5
-- says: meshes/square.obj: its largest side is 0.2 um; files are read as metres, and scale = 1000 would make it 200 um
-- says: meshes/square.obj: its largest side is 2e+05 m; files are read as metres: if it is in millimetres, scale = 0.001 makes it 200 m
-- says: meshes/box.obj: taken as full: its surface is closed and 20 mm thick inside, no more than two walls of 15 mm
local sb = require "sandbell"
local check = require "modules.check"
local raises, mentions = check.raises, check.mentions
local SQUARE, BOX = "meshes/square.obj", "meshes/box.obj"

-- A good sheet with some fields changed.
local function with(changes)
  local def = { thickness = 0.002, max_hz = 3000 }
  for name, value in pairs(changes) do def[name] = value end
  return def
end

-- Every field.
for _, method in ipairs { "auto", "shell", "springs", "springs-literal" } do
  check.equal(tostring(sb.mesh(SQUARE, with { method = method })), "shape (mesh)", method)
end
for _, method in ipairs { "auto", "solid", "tet4", "shell", "springs" } do
  check.equal(tostring(sb.mesh(BOX, { method = method, thickness = 0.001 })), "shape (mesh)", method)
end
check.equal(tostring(sb.mesh(BOX)), "shape (mesh)")
check.equal(tostring(sb.mesh(BOX, nil)), "shape (mesh)")
check.equal(tostring(sb.mesh(SQUARE, with { merge = false, modes = 4096, elements = 500, scale = 2 })), "shape (mesh)")
check.equal(tostring(sb.mesh(SQUARE, with { clamp = "edges", hold = "pinned" })), "shape (mesh)")
check.equal(tostring(sb.mesh(SQUARE, with { clamp = "edges", hold = "clamped" })), "shape (mesh)")
check.equal(tostring(sb.mesh "models/die.obj"), "shape (mesh)") -- from the library

-- A size that suggests a wrong unit is reported (see above).
check.equal(tostring(sb.mesh(SQUARE, with { scale = 1e-6 })), "shape (mesh)")
check.equal(tostring(sb.mesh(SQUARE, with { scale = 1e6 })), "shape (mesh)")

-- A missing file is returned as an error, and again by a body of that shape.
local function returns(message, code, ...)
  local shape, why, name = ...
  check.equal(shape, nil)
  check.equal(why, message)
  check.equal(name, code)
end
local missing = "no such file in the scene's folder or the library"
local refused = "'..' is refused: a scene reads files only in its own folder and in the library"
returns("sb.mesh: none.obj: " .. missing, "NOT_FOUND", sb.mesh "none.obj")
returns("sb.mesh: : " .. missing, "NOT_FOUND", sb.mesh "")
returns("sb.mesh: ../meshes/good/cube.obj: " .. refused, "NOT_FOUND", sb.mesh "../meshes/good/cube.obj")
returns("sb.mesh: /etc/passwd: " .. missing, "NOT_FOUND", sb.mesh("/etc/passwd", { thickness = 0.001 }))
returns("sb.mesh: meshes/nothing.obj: it has no faces", "BAD_FORMAT", sb.mesh "meshes/nothing.obj")
raises("sb.body: there is no shape: none.obj: " .. missing,
  function() sb.body("x", { shape = sb.mesh "none.obj", material = "steel" }) end)

-- A mistake raises.
raises("sb.mesh: the path must be a string, got nil", function() sb.mesh() end)
raises("sb.mesh: the path must be a string, got 5", function() sb.mesh(5) end)
raises("sb.mesh: the path must not hold a zero byte", function() sb.mesh "a\0b" end)
raises("sb.mesh needs a table { field = value, ... }, got 5", function() sb.mesh(BOX, 5) end)
raises("sb.mesh: scale must be a number from 1e-09 to 1e+09, got 0", function() sb.mesh(SQUARE, with { scale = 0 }) end)
raises("sb.mesh: thickness must be a number from 1e-06 to 10 m, got 0", function() sb.mesh(SQUARE, with { thickness = 0 }) end)
raises("sb.mesh: thickness must be a number from 1e-06 to 10 m, got nan",
  function() sb.mesh(SQUARE, with { thickness = check.nan }) end)
raises("sb.mesh: modes must be a number from 1 to 4096, got 0", function() sb.mesh(SQUARE, with { modes = 0 }) end)
raises("sb.mesh: max_hz must be a number from 1 to 1e+06 Hz, got 2000000.0", function() sb.mesh(SQUARE, with { max_hz = 2e6 }) end)
raises("sb.mesh: elements must be a number from 1 to 500, got 501", function() sb.mesh(SQUARE, with { elements = 501 }) end)
raises("sb.mesh: merge must be a number from 0 to 100, true or false, got 'much'", function() sb.mesh(SQUARE, with { merge = "much" }) end)
raises("sb.mesh: merge must be a number from 0 to 100, got -1", function() sb.mesh(SQUARE, with { merge = -1 }) end)
raises("sb.mesh: hold must be one of 'clamped', 'pinned', got 'glued'", function() sb.mesh(SQUARE, with { hold = "glued" }) end)
raises("sb.mesh: method must be one of 'auto', 'shell', 'solid', 'tet4', 'springs', 'springs-literal', got 'analytic'",
  function() sb.mesh(SQUARE, with { method = "analytic" }) end)
raises("sb.mesh: unknown field 'thicknes'; did you mean 'thickness'? (known: scale, method, thickness, clamp, hold, modes, max_hz, elements, merge, radiation)",
  function() sb.mesh(SQUARE, with { thicknes = 1 }) end)
raises("sb.mesh: method = \"shell\" needs a thickness (m)", function() sb.mesh(BOX, { method = "shell" }) end)
raises("sb.mesh: meshes/square.obj: its surface is open (1 hole, 24 border edges), so it has no inside: give a thickness, or close it",
  function() sb.mesh(SQUARE) end)
raises("sb.mesh: meshes/square.obj: its surface is open (1 hole, 24 border edges), so it has no inside: give a thickness, or close it",
  function() sb.mesh(SQUARE, with { method = "solid" }) end)

-- A closed surface that is thinner inside than two walls is full (see above).
raises("sb.mesh: meshes/box.obj: a wall of 1 m is thicker than the body, which is 20 mm thick: leave out thickness to take it as full",
  function() sb.mesh(BOX, { thickness = 1 }) end)
check.equal(tostring(sb.mesh(BOX, { thickness = 0.015 })), "shape (mesh)")

-- What is held.
local held = "sb.mesh: clamp must be a function of a point, a box { low = ..., high = ... } or \"edges\", got "
raises(held .. "5", function() sb.mesh(SQUARE, with { clamp = 5 }) end)
raises(held .. "'border'", function() sb.mesh(SQUARE, with { clamp = "border" }) end)
raises(held .. "true", function() sb.mesh(SQUARE, with { clamp = true }) end)
local box = "sb.mesh: clamp needs low = { x, y, z } and high = { x, y, z }, low not above high"
raises(box, function() sb.mesh(SQUARE, with { clamp = {} }) end)
raises(box, function() sb.mesh(SQUARE, with { clamp = { low = { 0, 0, 0 } } }) end)
raises(box, function() sb.mesh(SQUARE, with { clamp = { low = { 0, 0, 0 }, high = { 1, -1, 1 } } }) end)
raises("sb.mesh: unknown field 'lo'; did you mean 'low'? (known: low, high)", function() sb.mesh(SQUARE, with { clamp = { lo = 1 } }) end)
raises("sb.mesh: clamp must answer true, false, \"clamped\" or \"pinned\", got 'glue'",
  function() sb.mesh(SQUARE, with { clamp = function() return "glue" end }) end)
raises("mine", function() sb.mesh(SQUARE, with { clamp = function() error "mine" end }) end)
mentions("sb.sleep works inside sb.go", function() sb.mesh(SQUARE, with { clamp = function() sb.sleep(1) end }) end)

-- The function is called once per vertex of a sheet, in metres after scaling.
local calls, far = 0, 0
sb.mesh(SQUARE, with { scale = 10, elements = 1, clamp = function(p)
  calls = calls + 1
  far = math.max(far, p.x, p.z)
  check.equal(p.y, 0)
  return "pinned"
end })
check.equal(calls, 49)
check.near(far, 1, 1e-6)

-- By default, edges are halved until there are enough elements along it.
calls = 0
sb.mesh(SQUARE, with { clamp = function() calls = calls + 1; return true end })
check.equal(calls, 625)

-- However long the answer, the sentence is short.
local _, long = pcall(sb.mesh, SQUARE, with { clamp = function() return ("x"):rep(1e6) end })
check.equal(#long < 400, true)

-- Clamped, pinned and free; the same edge in three ways.
local function on_edge(p) return math.max(math.abs(p.x), math.abs(p.z)) > 0.0999 end
local bodies = {
  free = sb.mesh(SQUARE, with {}),
  clamped = sb.mesh(SQUARE, with { clamp = on_edge }),
  edges = sb.mesh(SQUARE, with { clamp = "edges" }),
  pinned = sb.mesh(SQUARE, with { clamp = function(p) return on_edge(p) and "pinned" end }),
  hinged = sb.mesh(SQUARE, with { clamp = on_edge, hold = "pinned" }),
  one_end = sb.mesh(SQUARE, with { clamp = { low = { -1, -1, -1 }, high = { -0.0999, 1, 1 } } }),
  few = sb.mesh(SQUARE, with { modes = 3 }),
  box = sb.mesh(BOX, { elements = 6 }),
  sheet = sb.plate { width = 0.2, depth = 0.2, thickness = 0.002, method = "shell", elements = 8 },
}
for name, shape in pairs(bodies) do
  sb.body(name, { shape = shape, material = "steel" })
end

-- What was solved before comes from a file; these do not hold any.
do
  local shape, message, code = sb.model "none.modal"
  check.equal(shape, nil)
  check.equal(message, "sb.model: none.modal: no such file in the scene's folder or the library")
  check.equal(code, "NOT_FOUND")
  shape, message, code = sb.model(BOX)
  check.equal(shape, nil)
  assert(message:find("a model is a .modal or .gltf file; sb.mesh reads meshes", 1, true), message)
  check.equal(code, "BAD_FORMAT")
  raises("sb.model: unknown field 'scale' (known: modes, max_hz, merge, radiation)",
    function() sb.model("none.modal", { scale = 2 }) end)
end

function scene.start()
  local first = {}
  for name in pairs(bodies) do
    local modes = sb.find(name):modes()
    first[name] = modes[1].freq_hz
    sb.find(name):strike { speed = 1, mass = 0.01 }
    sb.find(name):strike { point = { 0.03, 0, 0.02 }, direction = { 0, -1, 0 }, speed = 1, mass = 0.01 }
  end
  check.equal(first.clamped, first.edges)
  check.equal(first.pinned, first.hinged)
  check.near(first.few, first.free, 1e-6)
  assert(#sb.find("few"):modes() <= 3 and #sb.find("free"):modes() > 3)
  -- One edge clamped, free, pinned, clamped: 3.471 : 13.468 : 19.739 : 35.985.
  check.near(first.one_end / first.free, 3.471 / 13.468, 0.02)
  check.near(first.pinned / first.free, 19.739 / 13.468, 0.06)
  check.near(first.clamped / first.free, 35.985 / 13.468, 0.1)
  check.near(first.sheet / first.free, 1, 0.05)
  raises("body:strike: this body's mesh has no texture coordinates, so at says nothing; give point = { x, y, z }",
    function() sb.find("free"):strike { speed = 1, at = { 0.5, 0.5 } } end)
  raises("sb.mesh: meshes are read while the scene loads; put this at the top of the script",
    function() sb.mesh(BOX) end)
  print "done"
end
-- SPDX-License-Identifier: MIT
