-- fails: fails/mesh_forever.lua
local sb = require "sandbell"
sb.mesh("models/die.obj", { elements = 4, clamp = function() while true do end end })
