-- A table tennis ball falls on steel. The rules ask for 240 to 260 mm, so e is 0.887 to 0.923.
local sb = require "sandbell"

sb.body("ground", { shape = sb.floor(), material = "steel" })
local ball = sb.body("ball", {
  shape = sb.rigid { radius = 0.020 }, material = "plastic", motion = "free",
  position = { 0, 0.305 + 0.020, 0 },
})

local down, up
function scene.update()
  local v = ball:velocity()[2]
  if not up and v < 0 then down = v elseif not up and down and v > 0 then up = v end
end

truth = {
  object = "table tennis ball on steel",
  source = "ITTF technical leaflet T3: from 305 mm it bounces to 240 .. 260 mm",
  unit = "", names = { "restitution" },
  measured = { 0.905 }, bound = 2,
  miss = "restitution is that of a full ball of plastic; a hollow one bends and gives it back",
  run = 0.5, computed = function() return -up / down end,
}
