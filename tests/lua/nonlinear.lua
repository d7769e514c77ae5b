-- Bodies that stiffen and distort: what they do, and every wrong argument.
-- seconds: 1.2
local sb = require "sandbell"
local check = require "modules.check"
local raises, nan = check.raises, check.nan

local disk = sb.disk { radius = 0.1, thickness = 0.002, support = "clamped" }
local function def(nonlinear) return { shape = disk, material = "bronze", nonlinear = nonlinear } end

raises("sb.body: nonlinear needs a table { field = value, ... }, got 3", function() sb.body("gong", def(3)) end)
raises("sb.body: nonlinear: unknown field 'amplitud'; did you mean 'amplitude'? "
  .. "(known: amplitude, stiffness, at, distortion, knee)", function() sb.body("gong", def { amplitud = 1 }) end)
raises("sb.body: nonlinear: amplitude must be a number from 1e-09 to 10 m, got 0",
  function() sb.body("gong", def { amplitude = 0 }) end)
raises("sb.body: nonlinear: stiffness must be a number from 1e-06 to 1e+30 N/m^3, got -1",
  function() sb.body("gong", def { stiffness = -1 }) end)
raises("sb.body: nonlinear: give amplitude or stiffness, not both",
  function() sb.body("gong", def { amplitude = 1e-3, stiffness = 1e9 }) end)
raises("sb.body: nonlinear: distortion must be a number from 1e-09 to 1e+06 N s/m, got nan",
  function() sb.body("gong", def { distortion = nan }) end)
raises("sb.body: nonlinear: knee needs distortion", function() sb.body("gong", def { knee = 1 }) end)
raises("sb.body: nonlinear: at must be { u, v } or a list of 1 to 4 of them, got 0.5",
  function() sb.body("gong", def { at = 0.5 }) end)
raises("sb.body: nonlinear: at must be { u, v } or a list of 1 to 4 of them, got another table",
  function() sb.body("gong", def { at = {} }) end)
raises("sb.body: nonlinear: at must be { u, v } or a list of 1 to 4 of them, got another table",
  function() sb.body("gong", def { at = { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } } }) end)
raises("sb.body: nonlinear: at must be { u, v }, got another table",
  function() sb.body("gong", def { at = { 0.5, 0.5, 0.5 } }) end)
raises("sb.body: nonlinear: at[2] must be a number from 0 to 1, got 2",
  function() sb.body("gong", def { at = { 0.5, 2 } }) end)
raises("sb.body: nonlinear: at[2] must be { u, v }, got 'x'",
  function() sb.body("gong", def { at = { { 0.5, 0.5 }, "x" } }) end)
raises("sb.body: nonlinear: at[1][1] must be a number from 0 to 1, got -1",
  function() sb.body("gong", def { at = { { -1, 0.5 } } }) end)
raises("sb.body: body 'stone': nonlinear needs a shape that rings, and a rigid one does not",
  function() sb.body("stone", { shape = sb.rigid(), nonlinear = {} }) end)

local gongs = {
  sb.body("plain", def {}),
  sb.body("middle", def { amplitude = 1e-4, at = { 0.5, 0.5 } }),
  sb.body("places", def { stiffness = 1e12, at = { { 0.5, 0.5 }, { 0.3, 0.5 }, { 0.5, 0.8 }, { 0.7, 0.4 } } }),
  sb.body("distorted", def { distortion = 2 }),
  sb.body("both", def { amplitude = 1e-4, distortion = 2, knee = 0.01 }),
  sb.body("tone", { shape = sb.modes { { 440, 2, 1 }, { 880, 1, 1 } }, nonlinear = {} }),
  sb.body("noisy", { shape = disk, material = "bronze", nonlinear = { amplitude = 1e-4 }, diffuse = { crossover = 3000 } }),
}

function scene.start()
  raises("sb.body: body 'late': nonlinear: its lowest mode does not move at these places; give others as at, or none",
    function() sb.body("late", def { at = { 1, 0.5 } }) end)
  sb.body("late", def { at = { 0.4, 0.5 } }):strike { impulse = 0.1 }
  for _, gong in ipairs(gongs) do
    gong:strike { speed = 2, mass = 0.02 }
    gong:strike { impulse = 0.1, mass = 0.05, hardness = 1e5 }
  end
  gongs[1]:touch { kind = "hand" }
  gongs[2]:deform { strain = 0.2 }
end

sb.after(1, function()
  check.equal(sb.stats().muted, 0)
  print "done"
end)
-- SPDX-License-Identifier: MIT
