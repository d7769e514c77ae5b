-- SPDX-License-Identifier: MIT
-- What a solved body radiates is lost by it, also by one that is rescaled from it.
-- seconds: 0.1
local sb = require "sandbell"

local function plate(name, scale)
  return sb.body(name, { material = sb.material("own", { base = "steel", alpha = 0.3, beta = 1e-9 }),
    shape = sb.mesh("models/plate.obj",
      { thickness = 0.002 * scale, scale = scale, modes = 12 }) })
end
local bodies = { plate("small", 1), plate("large", 1.25) }

function scene.start()
  for _, body in ipairs(bodies) do
    local most = 0
    for _, mode in ipairs(body:modes()) do
      local metal = 2 * math.log(1000) / (0.3 + 1e-9 * (2 * math.pi * mode.freq_hz) ^ 2)
      assert(math.abs(mode.t60_material_s / metal - 1) < 1e-4, body:name() .. ": " .. mode.t60_material_s / metal)
      assert(math.abs(mode.t60_s * (1 / metal + 1 / mode.t60_air_s) - 1) < 1e-4)
      most = math.max(most, mode.t60_s / mode.t60_air_s)
    end
    assert(most > 1e-3, body:name() .. " loses " .. most)
  end
  print("done")
end
