-- Forces from outside: sb.force, body:force, wind and drag, against closed forms.
-- seconds: 3
local sb = require "sandbell"
local check = require "modules.check"
local near, raises = check.near, check.raises

sb.world { gravity = { 0, 0, 0 }, wind = { 3, 0, 0 }, air = 2 }
sb.force { acceleration = { 0, 0.5, 0 } }
sb.force { pull = 4, falloff = -1, centre = { 0, 0, 0 }, within = 1.5 } -- a spring, w = 2 rad/s

local function ball(name, at, more)
  local def = { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = at }
  for k, v in pairs(more or {}) do def[k] = v end
  return sb.body(name, def)
end

local pushed = ball("pushed", { 100, 0, 0 })
local falls = ball("falls", { 200, 0, 0 })
local spring = ball("spring", { 0.5, 0.125, 0 }) -- its centre is moved by 0.5 / w^2
local orbit = ball("orbit", { 1001, 0, 0 }, { velocity = { 0, 0, 20 } })
sb.force { pull = 400, centre = { 1000, 0, 0 }, within = 2 } -- 20 rad/s at 1 m
sb.force { acceleration = { 0, -0.5, 0 }, centre = { 1000, 0, 0 }, within = 2 }
local driven = ball("driven", { 2000, 0, 0 })
sb.force { acceleration = { 8, 0, 0 }, frequency = 4, phase = math.pi / 2, centre = { 2000, 0, 0 }, within = 2 }
local blown = ball("blown", { 300, 0, 0 }, { drag = 1e-3, mass = 0.01 })
local fixed = sb.body("fixed", { shape = sb.sphere { radius = 0.01 }, material = "steel", position = { 0, -50, 0 } })

raises("sb.force: pull must be a number from -1e+06 to 1e+06 m/s^2, got 10000000.0", function() sb.force { pull = 1e7 } end)

local mass = 4 / 3 * math.pi * 1e-6 * 7850

function scene.start()
  raises("body:force: body 'fixed' is not free to move; give it motion = \"free\"",
    function() fixed:force { 0, 0, 1 } end)
  pushed:force { 0, 0, mass }
  sb.after(2, function()
    -- x = a t^2 / 2
    near(falls:position()[2], 0.5 * 0.5 * 4, 2e-2)
    near(pushed:position()[3], 0.5 * 1 * 4, 5e-2)
    near(spring:position()[1], 0.5 * math.cos(4), 2e-2)
    near(spring:position()[2], 0.125, 1e-3)
    -- A circle of 1 m, 6.4 turns later: neither wider nor behind.
    local at = orbit:position()
    near((at[1] - 1000) ^ 2 + at[2] ^ 2 + at[3] ^ 2, 1, 2e-3)
    near(at[1] - 1000, math.cos(40), 1e-2)
    -- x'' = -a sin(w t):  x = a (sin(w t) / w^2 - t / w), w = 8 pi
    near(driven:position()[1] - 2000, -8 * 2 / (8 * math.pi), 1e-2)
    -- u' = -k u^2, k = rho A / 2 m:  u = u0 / (1 + k u0 t)
    near(blown:velocity()[1], 3 - 3 / (1 + 0.1 * 3 * 2), 2e-2)
    pushed:force { 0, 0, 0 }
    local before = pushed:velocity()[3]
    sb.after(0.5, function()
      near(pushed:velocity()[3], before, 0.02)
      print "done"
    end)
  end)
end
-- SPDX-License-Identifier: MIT
