-- Too much sound: sb.quality, the figures of sb.stats, and every wrong argument.
-- seconds: 0.5
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

sb.quality { budget = 0.5, slope = 2, tau = 0.01, modes = 64 }
sb.quality { modes = 48 } -- what is not given stays
sb.quality {}

raises("sb.quality needs a table { field = value, ... }, got nil", function() sb.quality() end)
raises("sb.quality: unknown field 'mods'; did you mean 'modes'? (known: budget, slope, tau, modes)",
  function() sb.quality { mods = 3 } end)
raises("sb.quality: budget must be a number from 0 to 1, got 1.5", function() sb.quality { budget = 1.5 } end)
raises("sb.quality: slope must be a number from 0 to 1e+06, got -1", function() sb.quality { slope = -1 } end)
raises("sb.quality: tau must be a number from 0 to 32768, got -0.1", function() sb.quality { tau = -0.1 } end)
raises("sb.quality: modes must be a whole number from 0 to 1e+06, got 1.5", function() sb.quality { modes = 1.5 } end)

local many = {}
for i = 1, 40 do
  local modes = {}
  for k = 1, 16 do modes[k] = { 200 + i + 300 * k, 1 } end
  many[i] = sb.body("bell " .. i, { shape = sb.modes(modes), gain = 1 / i })
end

function scene.start()
  local before = sb.stats()
  check.equal(before.modes_dropped, 0.0, "nothing rings yet")
  check.equal(before.dropped_db, -200.0)
  for _, bell in ipairs(many) do bell:strike { impulse = 0.01 } end
  sb.after(0.2, function()
    local s = sb.stats()
    check.equal(s.modes_wanted, 640.0, "all ring")
    assert(s.modes_mixed <= 48 and s.modes_mixed >= 32, "mixed: " .. s.modes_mixed)
    check.equal(s.modes_dropped, s.modes_wanted - s.modes_mixed)
    assert(s.dropped_db > -150 and s.dropped_db < 0, "dropped: " .. s.dropped_db)
    sb.quality { modes = 0 } -- while it runs
  end)
  sb.after(0.4, function()
    local s = sb.stats()
    check.equal(s.modes_mixed, 640.0, "all are back")
    check.equal(s.dropped_db, -200.0)
    sb.quality { tau = 32768 }
  end)
  sb.after(0.45, function()
    check.equal(sb.stats().modes_wanted, 0.0, "nothing is as loud as that")
    print "done"
  end)
end
-- SPDX-License-Identifier: MIT
