-- Every shape: what it accepts, and the error for everything else.
local sb = require "sandbell"
local check = require "modules.check"
local raises, nan, inf = check.raises, check.nan, check.inf

-- A good bar with some fields changed.
local function with(changes)
  local fields = { length = 0.3, width = 0.03, thickness = 0.01 }
  for name, value in pairs(changes) do fields[name] = value end
  return fields
end

-- What is right is taken, at the ends of the ranges, too.
for _, support in ipairs { "free", "clamped", "clamped-clamped", "clamped-free", "pinned", "pinned-pinned",
  "clamped-pinned", "hinged" } do
  check.equal(tostring(sb.bar(with { support = support })), "shape (bar)", support)
end
for _, theory in ipairs { "timoshenko", "euler" } do
  check.equal(tostring(sb.bar(with { theory = theory })), "shape (bar)", theory)
end
for _, support in ipairs { "free", "clamped", "clamped-free", "pinned", "simply-supported" } do
  local plate = sb.plate { width = 0.3, depth = 0.2, thickness = 0.001, support = support }
  check.equal(tostring(plate), "shape (plate)", support)
end
for _, support in ipairs { "free", "clamped", "pinned", "simply-supported" } do
  check.equal(tostring(sb.disk { radius = 0.1, thickness = 0.002, support = support }), "shape (disk)", support)
end
check.equal(tostring(sb.bar { length = 100, width = 1e-5, thickness = 1e-5 }), "shape (bar)")
check.equal(tostring(sb.membrane { radius = 0.2, tension = 2000, surface_density = 0.2 }), "shape (membrane)")
check.equal(tostring(sb.membrane { width = 0.2, depth = 0.3, tension = 1, surface_density = 1 }), "shape (membrane)")
check.equal(tostring(sb.string { length = 0.65, diameter = 0.001, tension = 70 }), "shape (string)")
check.equal(tostring(sb.ring { radius = 0.1, wire_radius = 0.003 }), "shape (ring)")
check.equal(tostring(sb.ring { radius = 0.1, width = 0.01, thickness = 0.003 }), "shape (ring)")
check.equal(tostring(sb.rigid {}), "shape (rigid)")
check.equal(tostring(sb.rigid()), "shape (rigid)")
check.equal(tostring(sb.rigid { radius = 0.01 }), "shape (rigid)")
check.equal(tostring(sb.sphere { radius = 0.02 }), "shape (sphere)")
check.equal(tostring(sb.box { width = 0.02, height = 0.01, depth = 0.03 }), "shape (box)")
check.equal(tostring(sb.cylinder { radius = 0.02, length = 0.1 }), "shape (cylinder)")
check.equal(tostring(sb.tube { length = 0.3, radius = 0.01, thickness = 0.001 }), "shape (tube)")
check.equal(tostring(sb.cone { radius = 0.05, height = 0.1, thickness = 0.001 }), "shape (cone)")
check.equal(tostring(sb.cone { radius = 0.02, top_radius = 0.05, height = 0.1, thickness = 0.001, support = "clamped" }), "shape (cone)")
raises("sb.tube: field 'thickness' is missing", function() sb.tube { length = 0.3, radius = 0.01 } end)
raises("sb.tube: thickness must not exceed twice its radius: the wall would be thicker than the body (0.02 m), got 0.03 m",
  function() sb.tube { length = 0.3, radius = 0.01, thickness = 0.03 } end)
raises("sb.tube: support must be one of 'free', 'clamped', 'clamped-free', 'pinned', 'simply-supported', got 'glued'",
  function() sb.tube { length = 0.3, radius = 0.01, thickness = 0.001, support = "glued" } end)
local bowl = { { 0, 0 }, { 0.03, 0.004 }, { 0.055, 0.025 }, { 0.065, 0.06 } }
check.equal(tostring(sb.revolve { profile = bowl, thickness = 0.002 }), "shape (revolve)")
check.equal(tostring(sb.revolve { profile = bowl, thickness = 0.002, join = "lines" }), "shape (revolve)")
check.equal(tostring(sb.revolve { profile = { { 0.05, 0, 0.002 }, { 0.04, 0.1, 0.003 } } }), "shape (revolve)")
raises("sb.revolve: field 'profile' is missing", function() sb.revolve { thickness = 0.002 } end)
raises("sb.revolve: profile, point 1 has no thickness: give thickness =, or { r, y, t } (m)", function() sb.revolve { profile = bowl } end)
raises("sb.revolve: profile must be a list of 2 to 256 points { r, y }, without holes or names",
  function() sb.revolve { profile = { { 0, 0 } }, thickness = 0.001 } end)
raises("sb.revolve: profile, point 2 must be { r, y } or { r, y, t }, in metres",
  function() sb.revolve { profile = { { 0, 0 }, { 1 } }, thickness = 0.001 } end)
raises("sb.revolve: profile, point 2: r must be a number from 0 to 100 m, got -1",
  function() sb.revolve { profile = { { 0, 0 }, { -1, 0 } }, thickness = 0.001 } end)
raises([[sb.revolve: join must be "curve" or "lines", got 'spline']],
  function() sb.revolve { profile = bowl, thickness = 0.001, join = "spline" } end)
raises("sb.revolve: its profile runs back along itself at point 2, (0.1, 0.1)",
  function() sb.revolve { profile = { { 0.1, 0 }, { 0.1, 0.1 }, { 0.1, 0.05 } }, thickness = 0.001 } end)
raises("sb.revolve: a wall of 0.05 m is thicker than the body: at (0.02, 0) its middle is only 0.02 m from the axis, so it may be 0.04 m thick",
  function() sb.revolve { profile = { { 0.02, 0 }, { 0.02, 0.2 } }, thickness = 0.05 } end)
check.equal(tostring(sb.hollow { width = 0.2, height = 0.1, depth = 0.3, thickness = 0.002 }), "shape (hollow)")
raises("sb.hollow: walls of 0.05 m fill a box of 0.1 m: thickness must be less than half its shortest side; sb.box is full",
  function() sb.hollow { width = 0.2, height = 0.1, depth = 0.3, thickness = 0.05 } end)
check.equal(tostring(sb.floor {}), "shape (floor)")
check.equal(tostring(sb.floor()), "shape (floor)")
raises("sb.sphere: field 'radius' is missing", function() sb.sphere {} end)
raises("sb.sphere: radius must be a number from 1e-05 to 100 m, got -1", function() sb.sphere { radius = -1 } end)
raises("sb.box: field 'depth' is missing", function() sb.box { width = 1, height = 1 } end)
raises("sb.box: it must not be more than 200 times as long as thin, got 10 m and 0.001 m; use a plate, disk or bar",
  function() sb.box { width = 1, height = 0.001, depth = 10 } end)
raises("sb.cylinder: field 'length' is missing", function() sb.cylinder { radius = 1 } end)
raises("sb.cylinder: it must not be more than 200 times as long as thin, got 10 m and 0.002 m; use a plate, disk or bar",
  function() sb.cylinder { radius = 0.001, length = 10 } end)
raises("sb.floor: unknown field 'radius' (known: none)", function() sb.floor { radius = 3 } end)
raises("sb.body: body 'die': a box needs a material",
  function() sb.body("die", { shape = sb.box { width = 0.01, height = 0.01, depth = 0.01 } }) end)
raises("sb.rigid: radius must be a number from 1e-05 to 100 m, got 0", function() sb.rigid { radius = 0 } end)
check.equal(tostring(sb.modes { { 440, 2 }, { 880, 1, -0.5 }, { freq = 1000, t60 = 1 } }), "shape (modes)")
local many = {}
for i = 1, 4096 do many[i] = { i, 1 } end
check.equal(tostring(sb.modes(many)), "shape (modes)")
many[4097] = { 1, 1 }
raises("sb.modes needs a list of 1 to 4096 modes { freq, t60, gain }, without holes or names", function() sb.modes(many) end)

-- A table is plain data: its metatable is ignored.
local haunted = setmetatable({}, { __index = error, __len = error, __pairs = error, __call = error })
raises("sb.bar: field 'length' is missing", function() sb.bar(haunted) end)
raises("sb.modes needs a list of 1 to 4096 modes { freq, t60, gain }, without holes or names", function() sb.modes(haunted) end)
-- A table inside itself is one more wrong value, not an endless one.
local cycle = {}
cycle.length, cycle[1] = cycle, cycle
raises("sb.modes, mode 1: fields have names; [1] = a table does not", function() sb.modes { cycle } end)

-- More arguments than one are ignored, as everywhere in Lua.
check.equal(tostring(sb.bar(with {}, 1, "x", nil, {})), "shape (bar)")

-- What is wrong gets a sentence.
raises("sb.bar needs a table { field = value, ... }, got nil", function() sb.bar() end)
raises("sb.bar needs a table { field = value, ... }, got 5", function() sb.bar(5) end)
raises("sb.bar: field 'length' is missing", function() sb.bar {} end)
raises("sb.bar: fields have names; [1] = 0.3 does not", function() sb.bar { 0.3, 0.03 } end)
raises("sb.bar: length must be a number from 1e-05 to 100 m, got '0.3'",
  function() sb.bar(with { length = "0.3" }) end)
raises("sb.bar: length must be a number from 1e-05 to 100 m, got nan", function() sb.bar(with { length = nan }) end)
raises("sb.bar: length must be a number from 1e-05 to 100 m, got -inf", function() sb.bar(with { length = -inf }) end)
raises("sb.bar: length must be a number from 1e-05 to 100 m, got -1", function() sb.bar(with { length = -1 }) end)
raises("sb.bar: length must be a number from 1e-05 to 100 m, got 1000000000.0",
  function() sb.bar(with { length = 1e9 }) end)
raises("sb.plate: merge must be a number from 0 to 100, got 101",
  function() sb.plate { width = 0.2, depth = 0.1, thickness = 0.002, merge = 101 } end)
raises("sb.plate: merge must be a number from 0 to 100, true or false, got 'much'",
  function() sb.plate { width = 0.2, depth = 0.1, thickness = 0.002, merge = "much" } end)
sb.disk { radius = 0.2, thickness = 0.002, merge = 2 }
raises("sb.bar: unknown field 'lenght'; did you mean 'length'? (known: length, width, thickness, support, theory, method, elements, modes, max_hz, merge, radiation)",
  function() sb.bar(with { lenght = 1 }) end)
raises("sb.bar: support must be one of 'free', 'clamped', 'clamped-clamped', 'clamped-free', 'pinned', 'pinned-pinned', 'clamped-pinned', 'hinged', got 'clmaped'; did you mean 'clamped'?",
  function() sb.bar(with { support = "clmaped" }) end)
raises("sb.bar: support must be one of 'free', 'clamped', 'clamped-clamped', 'clamped-free', 'pinned', 'pinned-pinned', 'clamped-pinned', 'hinged', got 3",
  function() sb.bar(with { support = 3 }) end)
raises("sb.bar: theory must be one of 'timoshenko', 'euler', got 'newton'",
  function() sb.bar(with { theory = "newton" }) end)
raises("sb.bar: thickness must not exceed its length (0.3 m), got 0.5 m",
  function() sb.bar(with { thickness = 0.5 }) end)
raises("sb.bar: fields have names; [true] = 0.5 does not", function() sb.bar(with { [true] = 0.5 }) end)
raises("sb.bar: fields have names; [1] = 'x' does not", function() sb.bar(with { [1] = "x" }) end)
raises("sb.plate: field 'width' is missing", function() sb.plate {} end)
raises("sb.plate: thickness must not exceed its width (1 m), got 5 m",
  function() sb.plate { width = 1, depth = 1, thickness = 5 } end)
raises("sb.plate: support must be one of 'free', 'clamped', 'clamped-free', 'pinned', 'simply-supported', got 'clamped-pinned'; did you mean 'clamped-free'?",
  function() sb.plate { width = 1, depth = 1, thickness = 0.01, support = "clamped-pinned" } end)
raises("sb.disk: field 'radius' is missing", function() sb.disk {} end)
raises("sb.membrane: field 'tension' is missing", function() sb.membrane {} end)
raises("sb.membrane: field 'tension' is missing", function() sb.membrane { radius = 0.2 } end)
raises("sb.membrane: field 'surface_density' is missing",
  function() sb.membrane { radius = 0.2, tension = 100 } end)
raises("sb.membrane: give radius, or width and depth, not both",
  function() sb.membrane { radius = 0.2, width = 0.2, depth = 0.1, tension = 100, surface_density = 0.2 } end)
raises("sb.membrane: depth must be a number from 1e-05 to 100 m, got 0",
  function() sb.membrane { width = 0.2, tension = 100, surface_density = 0.2 } end)
raises("sb.string: field 'length' is missing", function() sb.string {} end)
raises("sb.string: field 'tension' is missing", function() sb.string { length = 1, diameter = 0.001 } end)
raises("sb.ring: field 'radius' is missing", function() sb.ring {} end)
raises("sb.ring: wire_radius, or width and thickness, is missing", function() sb.ring { radius = 0.1 } end)
raises("sb.ring: wire_radius must not exceed its radius (0.1 m), got 0.2 m",
  function() sb.ring { radius = 0.1, wire_radius = 0.2 } end)
raises("sb.ring: give wire_radius, or width and thickness, not both",
  function() sb.ring { radius = 0.1, wire_radius = 0.002, width = 0.1 } end)
raises("sb.ring: thickness must be a number from 1e-05 to 100 m, got 0",
  function() sb.ring { radius = 0.1, width = 0.1 } end)
raises("sb.rigid: unknown field 'mass' (known: radius)", function() sb.rigid { mass = 3 } end)
raises("sb.rigid needs a table { field = value, ... }, got 7", function() sb.rigid(7) end)
raises("sb.modes needs a table { field = value, ... }, got nil", function() sb.modes() end)
raises("sb.modes needs a list of 1 to 4096 modes { freq, t60, gain }, without holes or names",
  function() sb.modes {} end)
raises("sb.modes, mode 1 needs a table { field = value, ... }, got 440", function() sb.modes { 440 } end)
raises("sb.modes, mode 1 needs a frequency and a T60 or Q: { 440, 2.0, gain } or { freq = 440, q = 1000 }",
  function() sb.modes { { 440 } } end)
raises("sb.modes, mode 1: t60 and q are two ways to say the same: give one",
  function() sb.modes { { freq = 440, t60 = 2, q = 1000 } } end)
raises("sb.modes, mode 1: q must be a number from 1 to 1e+09, got 0",
  function() sb.modes { { freq = 440, q = 0 } } end)
raises("sb.modes, mode 1: q = 1e+09 at 1 Hz is a t60 of 2.2e+09 s, not 0.0001 to 10000 s",
  function() sb.modes { { freq = 1, q = 1e9 } } end)
raises("sb.modes, mode 1 needs a frequency and a T60 or Q: { 440, 2.0, gain } or { freq = 440, q = 1000 }",
  function() sb.modes { { q = 1000 } } end)
raises("sb.modes, mode 1: fields have names; [1] = 440 does not",
  function() sb.modes { { 440, 2, 1, 4 } } end)
raises("sb.modes, mode 1: fields have names; [1] = 440 does not",
  function() sb.modes { { 440, 2, gian = 1 } } end)
raises("sb.modes, mode 1: unknown field 'gian'; did you mean 'gain'? (known: freq, t60, gain, q)",
  function() sb.modes { { freq = 440, t60 = 2, gian = 1 } } end)
raises("sb.modes needs a list of 1 to 4096 modes { freq, t60, gain }, without holes or names",
  function() sb.modes { { 440, 2 }, nil, { 441, 2 } } end)
raises("sb.modes needs a list of 1 to 4096 modes { freq, t60, gain }, without holes or names",
  function() sb.modes { { 440, 2 }, name = 3 } end)
raises("sb.modes, mode 1: freq must be a number from 1 to 100000 Hz, got '440'",
  function() sb.modes { { "440", 2 } } end)
raises("sb.modes, mode 1: t60 must be a number from 0.0001 to 10000 s, got -2",
  function() sb.modes { { 440, -2 } } end)
raises("sb.modes, mode 1: gain must be a number from -1000 to 1000, got nan",
  function() sb.modes { { 440, 2, nan } } end)
raises("sb.membrane: radius, or width and depth, is missing", function() sb.membrane { tension = 1, surface_density = 1 } end)
raises("Shape has no 'length'", function() return sb.bar(with {}).length end)
raises("Shape has no [1]", function() return sb.bar(with {})[1] end)

print "done"
-- SPDX-License-Identifier: MIT
