-- fails: fails/contact.lua:4: heard it
local sb = require "sandbell"
local bell = sb.body("bell", { shape = sb.modes { { 440, 1 } } })
function scene.contact() error "heard it" end
function scene.start() bell:strike { impulse = 1 } end
