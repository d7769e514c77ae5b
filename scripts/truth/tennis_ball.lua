-- A tennis ball falls on granite. The rules ask for 1.35 to 1.47 m, so e is 0.729 to 0.761.
local sb = require "sandbell"

sb.body("ground", { shape = sb.floor(), material = "stone" })
local ball = sb.body("ball", {
  shape = sb.rigid { radius = 0.033 }, material = "rubber", motion = "free",
  position = { 0, 2.54 + 0.033, 0 },
})

local down, up
function scene.update()
  local v = ball:velocity()[2]
  if not up and v < 0 then down = v elseif not up and down and v > 0 then up = v end
end

truth = {
  object = "tennis ball on granite",
  source = "ITF, rules of tennis: from 2.54 m it bounces to 1.35 .. 1.47 m",
  unit = "", names = { "restitution" },
  measured = { 0.745 }, bound = 2.1,
  miss = "restitution is that of a full ball of rubber; a tennis ball is a shell full of air",
  run = 1, computed = function() return -up / down end,
}
