-- fails: fails/no_modes.lua: body 'x':
local sb = require "sandbell"
sb.body("x", { shape = sb.bar { length = 1e-5, width = 1e-5, thickness = 1e-5 }, material = "steel" })
