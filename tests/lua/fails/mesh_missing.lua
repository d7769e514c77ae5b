-- fails: fails/mesh_missing.lua:4: sb.body: there is no shape: models/none.obj: no such file in the scene's folder or the library
local sb = require "sandbell"

sb.body("x", { shape = sb.mesh "models/none.obj", material = "steel" })
