-- A steel ball of 1.58 mm falls on a thick steel block: how long it touches.
-- Hertz's theory gives 4.6 us.
local sb = require "sandbell"

local radius = 0.79e-3
sb.body("block", { shape = sb.floor(), material = "steel" })
sb.body("ball", {
  shape = sb.rigid { radius = radius }, material = "steel", motion = "free",
  position = { 0, 0.005, 0 }, velocity = { 0, -2.5, 0 },
})

local duration
function scene.contact(c)
  if not duration and c.kind == "impact" then duration = c.duration end
end

truth = {
  object = "steel ball of 1.58 mm on steel, 2.5 m/s",
  source = "McLaskey & Glaser, J. Acoust. Soc. Am. 128 (2010)",
  unit = "us", names = { "time of contact" },
  measured = { 5 }, bound = 10,
  run = 0.05, computed = function() return 1e6 * duration end,
}
