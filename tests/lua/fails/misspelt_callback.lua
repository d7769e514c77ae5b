-- fails: fails/misspelt_callback.lua:4: scene: unknown field 'strat'; did you mean 'start'? (known: start, update
local sb = require "sandbell"
local bell = sb.body("bell", { shape = sb.modes { { 440, 1 } } })
function scene.strat() bell:strike { impulse = 1 } end
