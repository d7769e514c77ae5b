-- Shapes and materials near the ends of their ranges, as bodies that are struck:
-- each rings or is refused with an error message. No hang, no crash, no NaN.
-- seconds: 0.5
local sb = require "sandbell"

local shapes = {
  bar = { { "length", 1e-5, 0.3, 5 }, { "width", 1e-5, 0.03, 100 }, { "thickness", 1e-5, 0.01, 100 } },
  plate = { { "width", 1e-5, 0.1, 100 }, { "depth", 1e-5, 0.1, 100 }, { "thickness", 5e-4, 0.005, 100 } },
  disk = { { "radius", 1e-5, 0.1, 100 }, { "thickness", 1e-5, 0.002, 100 } },
  membrane = { { "radius", 1e-5, 0.2, 100 }, { "tension", 1e-3, 1000, 1e8 }, { "surface_density", 1e-4, 0.2, 1e4 } },
  string = { { "length", 1e-5, 0.65, 100 }, { "diameter", 1e-5, 0.001, 100 }, { "tension", 1e-3, 70, 1e8 } },
  ring = { { "radius", 1e-5, 0.1, 100 }, { "wire_radius", 1e-5, 0.003, 100 } },
}
local materials = {
  sb.material "steel",
  sb.material("softest", { density = 1e5, youngs_modulus = 1e6, poisson_ratio = -0.99, alpha = 1e5, beta = 1, hardness = 1 }),
  sb.material("stiffest", { density = 1, youngs_modulus = 2e12, poisson_ratio = 0.499, alpha = 0, beta = 0, hardness = 1e13 }),
}

local count, refused = 0, 0

local function try(kind, fields, material)
  count = count + 1
  local is_well, message = pcall(function()
    local body = sb.body("b" .. count, { shape = sb[kind](fields), material = material })
    local impact = body:strike { speed = 1, at = { 0.3, 0.4 } }
    for key, value in pairs(impact) do assert(key == "bounces" or value == value and value < 1 / 0, key) end
    for _, mode in ipairs(body:modes()) do
      assert(mode.freq_hz > 0 and mode.freq_hz < 1e6 and mode.t60_s > 0, mode.label)
    end
    body:remove()
  end)
  if is_well then return end
  refused = refused + 1
  if not (message:find("sb." .. kind .. ": ", 1, true) or message:find("sb.body: body 'b", 1, true)) then
    error(kind .. ": " .. message, 0)
  end
end

-- The plain shape of each material, and of steel one field at a time at an end.
local function vary(kind, rows)
  local function plain()
    local fields = {}
    for _, row in ipairs(rows) do fields[row[1]] = row[3] end
    return fields
  end
  for _, material in ipairs(materials) do try(kind, plain(), material) end
  for _, row in ipairs(rows) do
    for _, n in ipairs { 2, 4 } do
      local fields = plain()
      fields[row[1]] = row[n]
      try(kind, fields, materials[1])
    end
  end
end

sb.go(function()
  for kind, rows in pairs(shapes) do
    vary(kind, rows)
    sb.sleep(0.01)
  end
  print(count .. " bodies, " .. refused .. " refused")
  assert(refused < count / 2)
  print "done"
end)
-- SPDX-License-Identifier: MIT
