-- The same bar and the same mallet in every material of the library. Stiffness
-- over density sets the pitch, alpha and beta set the decay, hardness sets the
-- brightness of the impact.
--
--   sandbell run scripts/materials.lua
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 }, gain = 6 }

local bars = {}
for i, name in ipairs(sb.materials()) do
  bars[i] = sb.body(name, {
    shape    = sb.bar { length = 0.25, width = 0.03, thickness = 0.008 },
    material = name,
  })
end

function scene.start()
  sb.go(function()
    for _, bar in ipairs(bars) do
      local first = bar:modes()[1]
      print(("%-14s %7.1f Hz, T60 %.2f s"):format(bar:name(), first.freq_hz, first.t60_s))
      bar:strike { at = { u = 0.06, v = 0.5 }, speed = 1, mass = 0.02, hardness = 5e6 }
      sb.sleep(0.8)
    end
  end)
end
