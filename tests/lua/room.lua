-- SPDX-License-Identifier: MIT
-- The room: sb.room, sb.reverb, and every wrong argument.
-- seconds: 0.5
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

sb.reverb { t60 = 1.5, level = -3, predelay = 0.02 }
sb.reverb { t60 = { 2, 2, 1.9, 1.8, 1.6, 1.2, 0.7 } }
sb.reverb { level = -10 } -- what is not given stays
sb.reverb {}

raises("sb.reverb needs a table { field = value, ... }, got nil", function() sb.reverb() end)
raises("sb.reverb: unknown field 'levels'; did you mean 'level'? (known: t60, level, predelay)",
  function() sb.reverb { levels = 3 } end)
raises("sb.reverb: t60 must be 0 (none) or a number from 0.05 to 60 s, got 61", function() sb.reverb { t60 = 61 } end)
raises("sb.reverb: t60 must be 0 (none) or a number from 0.05 to 60 s, got 'long'",
  function() sb.reverb { t60 = "long" } end)
raises("sb.reverb: t60 must be a number or a list of 7, for 125 Hz to 8 kHz, got another table", function() sb.reverb { t60 = { 1, 2 } } end)
raises("sb.reverb: t60[7] must be a number from 0.05 to 60 s, got 0",
  function() sb.reverb { t60 = { 1, 1, 1, 1, 1, 1, 0 } } end)
raises("sb.reverb: level must be a number from -120 to 40 dB, got 41", function() sb.reverb { level = 41 } end)
raises("sb.reverb: predelay must be a number from 0 to 1 s, got -1", function() sb.reverb { predelay = -1 } end)

sb.room { size = { 6, 3, 8 }, walls = "plaster", decay = "sabine" }
sb.room { walls = { "plaster", floor = "carpet", ceiling = 0.3, left = { 0.1, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3 } } }
sb.room { walls = { 0.1, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3 }, position = { 0, -1, 0 } }
sb.room {}
check.equal(#sb.room_t60(), 7)
check.equal(sb.wall_materials().carpet[7], 0.65)
sb.reverb { t60 = 0 }
sb.room { walls = 0.1 }
-- 24 ln 10 V / (c A), V 144, S 180
sb.air { absorption = false }
check.near(sb.room_t60()[1], 24 * math.log(10) * 144 / (331.3 * math.sqrt(1 + 20 / 273.15) * 18), 1e-6)
sb.air { absorption = true }

raises("sb.room needs a table { field = value, ... }, got nil", function() sb.room() end)
raises("sb.room: unknown field 'sizes'; did you mean 'size'? (known: size, position, walls, response, level, decay)",
  function() sb.room { sizes = 3 } end)
raises("sb.room: size must be three lengths from 0.5 to 200 m, or { 0, 0, 0 } (no room), got { 1, 0, 1 }",
  function() sb.room { size = { 1, 0, 1 } } end)
raises("sb.room: walls: no wall material 'velvet'; sb.wall_materials() lists them",
  function() sb.room { walls = "velvet" } end)
raises("sb.room: walls.floor must be a number from 0 to 1, got 2", function() sb.room { walls = { floor = 2 } } end)
raises("sb.room: walls has no 'roof' (known: left, right, floor, ceiling, front, back, and [1] for the others)",
  function() sb.room { walls = { roof = 1 } } end)
raises("sb.room: walls must be a material, a number, or 7 for 125 Hz to 8 kHz, got another table",
  function() sb.room { walls = { 1, 2 } } end)

local none, message, code = sb.room { response = "none.wav" }
check.equal(none, nil)
check.equal(code, "NOT_FOUND")
raises('sb.room: give a size or a response, not both; size = { 0, 0, 0 } and response = "" are none',
  function() sb.room { response = "profiles/groove.wav" } end)
raises("sb.room: level must be a number from -120 to 40 dB, got 50", function() sb.room { level = 50 } end)
sb.room { size = { 0, 0, 0 }, response = "profiles/groove.wav", level = -10 }
check.equal(sb.room_t60()[1], 0.0)
sb.room { size = { 6, 3, 8 }, response = "" }

local bell = sb.body("bell", { shape = sb.modes { { 1000, 0.1 } } })

function scene.start()
  bell:strike { impulse = 0.01 }
  sb.after(0.1, function() sb.reverb { t60 = 0.5 } end) -- while it rings
  sb.after(0.15, function() bell:place({ 1, 0, 0 }) end)
  sb.after(0.2, function() sb.reverb { t60 = 0 } end)
  sb.after(0.22, function() sb.room { size = { 0, 0, 0 } } end)
  sb.after(0.23, function() sb.room { response = "profiles/groove.wav" } end)
  sb.after(0.235, function() sb.room { response = "" } end)
  sb.after(0.24, function() sb.room { size = { 10, 5, 20 } } end)
  sb.after(0.21, function() sb.reverb { t60 = 3 } end)
  sb.after(0.4, function() print "done" end)
end
