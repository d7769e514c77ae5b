-- A tuning fork is turned about its stem before the ear: in a turn it falls silent
-- four times.
--
--   sandbell run scripts/tuning_fork_turned.lua
--   sandbell render scripts/tuning_fork_turned.lua -o slow.wav --set turn=8
--
-- Both prongs swing apart and together. While the air outside them is pressed, the
-- air between them is thinned. On four lines, between the two sides, these cancel:
-- hold a fork to the ear and turn it. The clang of its high modes has lines of its
-- own.
local sb = require "sandbell"

local turn = sb.param("turn", { min = 0.5, max = 20, default = 4 }) -- seconds per turn
local distance = 0.3

sb.world { gravity = { 0, 0, 0 } }
sb.listener { position = { 0, 0.03, distance }, facing = { 0, 0, -1 }, gain = 4000 }

local fork = sb.body("fork", {
  shape = sb.mesh("models/tuning_fork.obj", { radiation = "exact" }),
  material = sb.material("fork steel", { base = "steel", alpha = 0.15 }),
  motion = "scripted", spin = { 0, 2 * math.pi / turn(), 0 }, collider = "none",
})

function scene.start()
  -- On the outer side of a prong, near its end, by soft rubber: hardly any clang.
  fork:strike { point = { 0.01, 0.055, 0 }, direction = { -1, 0, 0 }, speed = 1, mass = 0.02, hardness = 2e4 }
end
