-- fails: body 'x': the lowest mode of this mesh lies at
local sb = require "sandbell"
sb.body("x", { shape = sb.mesh("models/die.obj", { elements = 4 }), material = "steel" })
