-- fails: lua/texture_no_uv.lua: body 'x': its mesh has no texture coordinates for weights to lie on; 'sandbell bake --unwrap' gives it some
local sb = require "sandbell"

sb.body("x", {
  shape = sb.mesh("meshes/square.obj", { thickness = 0.01 }),
  material = "steel",
  weights = sb.texture "textures/left.png",
})
-- SPDX-License-Identifier: MIT
