-- A round glass table of twelve modes, with a picture per mode that says how
-- strongly the mode responds at each place (Maunsbach & Serafin 2019, 5.3).
-- `sandbell fit` found frequencies, decays and pictures in five recordings,
-- from the middle to the rim. A weight found at one distance from the middle is
-- used all around. The recordings are synthesised (textures/CREDITS.md).
--
--   sandbell run scripts/glass_table.lua
--
-- The table is tapped along a line across it, then around near its rim, where
-- all places sound alike.
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, gain = 8 }

local table_top = sb.body("glass table", {
  shape = sb.modes { -- textures/glass/modes.lua
    { 115.100000, 0.95, 0.303492 },
    { 178.500000, 0.9, 1 },
    { 265.100000, 0.85, 0.243272 },
    { 414.100000, 0.8, 0.450696 },
    { 463.000000, 0.74, 0.196763 },
    { 718.900000, 0.66, 0.337027 },
    { 778.000000, 0.62, 0.790574 },
    { 1084.799999, 0.52, 0.194334 },
    { 1214.100001, 0.48, 0.347198 },
    { 1703.199999, 0.36, 0.215614 },
    { 1780.600001, 0.35, 0.581058 },
    { 2377.399998, 0.25, 0.199868 },
  },
  weights = sb.texture "textures/glass_%d.png",
})

local function tap(u, v)
  table_top:strike { at = { u = u, v = v }, speed = 0.8, mass = 0.01, hardness = 1e5 }
  sb.sleep(0.45)
end

function scene.start()
  sb.go(function()
    for i = 0, 8 do tap(0.04 + 0.115 * i, 0.5) end
    for i = 0, 5 do
      local angle = i / 6 * 2 * math.pi
      tap(0.5 + 0.4 * math.cos(angle), 0.5 + 0.4 * math.sin(angle))
    end
  end)
end
