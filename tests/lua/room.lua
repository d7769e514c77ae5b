-- The room: sb.reverb, and every wrong argument.
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
raises("sb.reverb: t60 must be a number from 0.05 to 60 s, got 0",
  function() sb.reverb { t60 = { 1, 1, 1, 1, 1, 1, 0 } } end)
raises("sb.reverb: level must be a number from -120 to 40 dB, got 41", function() sb.reverb { level = 41 } end)
raises("sb.reverb: predelay must be a number from 0 to 1 s, got -1", function() sb.reverb { predelay = -1 } end)

local bell = sb.body("bell", { shape = sb.modes { { 1000, 0.1 } } })

function scene.start()
  bell:strike { impulse = 0.01 }
  sb.after(0.1, function() sb.reverb { t60 = 0.5 } end) -- while it rings
  sb.after(0.2, function() sb.reverb { t60 = 0 } end)
  sb.after(0.21, function() sb.reverb { t60 = 3 } end)
end
