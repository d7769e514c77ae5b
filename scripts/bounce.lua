-- A steel ball bounces on a bronze disk until it lies still.
--
--   sandbell run scripts/bounce.lua
--   sandbell render scripts/bounce.lua -o soft.wav --set restitution=0.6
--   sandbell render scripts/bounce.lua --events e.jsonl --poses p.jsonl
--
-- The script strikes nothing: the ball is free, the disk is fixed, and the
-- world finds their contacts. Dropped from the height h, the ball lands after
-- t = sqrt(2 h / g) at the speed v = g t and bounces with e v. So it is in the
-- air for 2 e t, then 2 e^2 t, and so on; it is at rest after
-- t (1 + e) / (1 - e). The ratio of two intervals is e. At one place the levels
-- have the same ratio: 20 log10(e) dB from bounce to bounce.
--
-- The place of an impact decides which modes ring. The ball drifts across the
-- disk, so every bounce is at another place and excites another chord. In the
-- end the ball rolls, stops and lies still. A body at rest is silent and damps
-- the body it lies on.
local sb = require "sandbell"

sb.listener { position = { 0, 0.5, 0.7 }, facing = { 0, -0.4, -0.7 }, gain = 0.4 }

local restitution = sb.param("restitution", { min = 0.1, max = 0.95, default = 0.85 })
local height = sb.param("height", { min = 0.05, max = 2, default = 0.6 }) -- m
local radius, thickness = 0.006, 0.004

local disk = sb.body("disk", {
  shape       = sb.disk { radius = 0.16, thickness = thickness },
  material    = "bronze",
  restitution = restitution(), -- both bodies set it: the geometric mean is used
})

local ball = sb.body("ball", {
  shape       = sb.sphere { radius = radius },
  material    = "steel",
  motion      = "free",
  position    = { -0.07, height() + thickness / 2 + radius, 0.01 },
  velocity    = { 0.04, 0, 0.005 },
  restitution = restitution(),
  rolling     = 0.001, -- ten times that of steel, so that it stops before the rim
})

local last
function scene.contact(c)
  if c.kind == "impact" then
    local gap = last and ("%.3f s later"):format(c.time - last) or "dropped"
    print(("%.4f s  %-13s %.2f m/s  %.1f mm from the middle"):format(
      c.time, gap, c.speed, 1000 * math.sqrt(c.point[1] ^ 2 + c.point[3] ^ 2)))
    last = c.time
  elseif c.kind == "rest" then
    print(("%.4f s  at rest, with %.0f mN on the disk"):format(c.time, 1000 * c.force))
  end
end

function scene.start()
  local t = math.sqrt(2 * height() / 9.81)
  local e = restitution()
  print(("%s on %s: lands after %.4f s, should rest after %.2f s"):format(
    ball:name(), disk:name(), t, t * (1 + e) / (1 - e)))
end
