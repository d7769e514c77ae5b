-- A wet finger goes round the rim of a wine glass.
--
--   sandbell run scripts/wine_glass_rub.lua
--   sandbell render scripts/wine_glass_rub.lua -o slow.wav --set speed=0.06
--
-- The finger rubs along the rim. A rim that becomes oval also moves along
-- itself, so friction along the rim can feed this mode. The oval turns with the
-- finger: four loud sides pass the listener per turn, and the tone swells four
-- times.
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.4 }, facing = { 0, -0.5, -1 }, gain = 100 }

local load = sb.param("load", { min = 0, max = 6, default = 2 }) -- N
local speed = sb.param("speed", { min = 0.02, max = 0.2, default = 0.1, curve = "log" }) -- m/s

-- The bottom of the bowl is held: on its thin stem the glass would rock instead
-- of ring. merge = false keeps both oval modes of the pair, so that the pattern
-- can turn.
local glass = sb.body("glass", {
  shape = sb.mesh("models/wine_glass.obj", {
    thickness = 0.0012, max_hz = 8000, merge = false, clamp = function(p) return p.y < 0 end,
  }),
  material = "glass",
})

local RIM, HEIGHT = 0.032, 0.09

-- A point on the rim, and the direction along the rim.
local function rim(angle)
  local c, s = math.cos(angle), math.sin(angle)
  return { RIM * c, HEIGHT, RIM * s }, { -s, 0, c }
end

function scene.start()
  sb.go(function()
    local angle, step = 0, 0.02
    local point, along = rim(angle)
    local finger = glass:contact {
      kind = "rub", point = point, direction = along, force = 0, slip = speed(),
      mu_static = 0.8, mu_kinetic = 0.3, stribeck = 0.1,
    }
    for i = 1, 4 / step do
      angle = angle + speed() / RIM * step
      point, along = rim(angle)
      local pressed = math.min(1, i * step / 0.6)
      finger:set { point = point, direction = along, slip = speed(), force = load() * pressed, ramp = step }
      sb.sleep(step)
    end
    finger:stop(0.1) -- the finger is lifted, the glass rings on
  end)
end
