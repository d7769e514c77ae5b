-- scene.start, scene.update, scene.contact, state, and the arguments they get.
-- seconds: 0.5
local sb = require "sandbell"
local check = require "modules.check"

local bar = sb.body("bar", {
  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel",
})

check.equal(type(scene), "table")
check.equal(type(state), "table")
check.equal(next(state), nil)
state.count = 0

local starts, contacts = 0, {}

function scene.start(...)
  starts = starts + 1
  check.equal(sb.now(), 0.0)
  local impact = bar:strike { at = { u = 0.25, v = 0.75 }, speed = 1, mass = 0.01 }
  check.equal(#contacts, 0, "told after the call, not in it")
  state.impulse = impact.impulse
  sb.after(0.1234, function() bar:strike { impulse = 0.01, point = { 0.1, 0, 0 } } end)
end

function scene.contact(c)
  contacts[#contacts + 1] = c
  check.equal(c.a, bar)
  check.equal(c.b, nil)
  check.equal(c.kind, "strike")
  check.equal(c.slip, 0.0)
  check.equal(#c.normal, 3)
  if #contacts == 1 then
    check.equal(sb.now(), 0.0)
    check.equal(c.impulse, state.impulse)
    check.equal(c.u, 0.25)
    check.equal(c.bounces, false)
    assert(math.abs(c.point[1] + 0.05) < 1e-9 and math.abs(c.point[2] - 0.0025) < 1e-9)
    check.equal(c.normal[2], -1.0, "into the bar")
    check.equal(c.v, 0.75)
    check.equal(c.speed, 1.0)
    assert(c.duration > 0)
    -- One does not chase the other: this strike is not announced.
    bar:strike { speed = 0.01 }
  else
    check.equal(sb.now(), 0.1234)
    check.equal(c.impulse, 0.01)
    -- On the surface, at the place nearest to the point that was given.
    assert(math.abs(c.point[1] - 0.1) < 1e-9 and math.abs(c.point[2]) <= 0.0025 + 1e-9)
    check.equal(c.u, 1.0)
  end
end

-- A callback may be replaced, and is looked up each time.
function scene.update()
  state.count = state.count + 1
  if state.count == 3 then
    scene.update = function() state.replaced = true end
  end
end

sb.after(0.4, function()
  check.equal(starts, 1)
  check.equal(#contacts, 2)
  check.equal(state.count, 3)
  check.equal(state.replaced, true)
  local stats = sb.stats()
  check.equal(stats.time, 0.4)
  check.equal(stats.sample_rate, 48000.0)
  check.equal(stats.bodies, 1.0)
  check.equal(stats.strikes, 3.0)
  check.equal(stats.sounding, 1.0)
  check.equal(stats.energy_in, 0.0) -- energy is counted from the first call on
  for _, name in ipairs { "frames", "active_modes", "lua_bytes" } do assert(stats[name] > 0, name) end
  for _, name in ipairs { "dropped_strikes", "late_commands", "muted", "missed_deadlines", "cpu_share" } do
    check.equal(stats[name], 0.0, name)
  end
  for _, name in ipairs { "peak_db", "limiter_db" } do assert(stats[name] <= 0 and stats[name] >= -200, name) end
  check.equal(sb.version:match "^%d+%.%d+%.%d+$", sb.version)
  -- The tables may be replaced by any value: then nothing is called.
  scene = 5
  state = nil
  sb.after(0.05, function() print "done" end)
end)
-- SPDX-License-Identifier: MIT
