-- One body of each shape that has its modes in closed form, struck one after
-- the other. `sandbell modes scripts/shapes.lua` lists the modes.
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.7 }, facing = { 0, -0.3, -0.7 }, gain = 3 }

-- A chime: frequency, T60 and gain of each mode, given by hand.
local by_hand = sb.modes {
  { 523.25, 2.5, 1.0 }, { 1318.5, 1.6, 0.5 }, { 2793.8, 0.9, 0.25 }, { 4434.9, 0.5, 0.15 },
}

local things = {
  { "bar",      sb.bar { length = 0.30, width = 0.035, thickness = 0.008 }, "aluminium", { 0.07, 0.5 } },
  { "plate",    sb.plate { width = 0.30, depth = 0.22, thickness = 0.003 }, "steel", { 0.2, 0.3 } },
  { "window",   sb.plate { width = 0.5, depth = 0.4, thickness = 0.004, support = "clamped" }, "glass", { 0.4, 0.35 } },
  { "disk",     sb.disk { radius = 0.14, thickness = 0.003 }, "bronze", { 0.9, 0.55 } },
  { "drum",     sb.membrane { radius = 0.16, tension = 2000, surface_density = 0.26 }, "hard_plastic", { 0.7, 0.6 } },
  { "string",   sb.string { length = 0.65, diameter = 0.001, tension = 126 }, "steel", { 0.13, 0.5 } },
  { "ring",     sb.ring { radius = 0.05, wire_radius = 0.003 }, "brass", { 0.0, 0.1 } },
  { "chime",    by_hand, nil, { 0.5, 0.5 } },
  { "anvil",    sb.rigid {}, "steel", { 0.5, 0.5 } }, -- rigid: it is silent
}

-- Large thin bodies radiate best; these gains bring them to the level of the
-- others.
local gain = { drum = 0.15, window = 0.7 }

local bodies = {}
for i, thing in ipairs(things) do
  local name, shape, material = table.unpack(thing, 1, 3)
  bodies[i] = sb.body(name, {
    shape = shape, material = material, gain = gain[name],
    position = { (i - (#things + 1) / 2) * 0.12, 0, 0 },
  })
end

function scene.start()
  sb.go(function()
    for i, body in ipairs(bodies) do
      local at = things[i][4]
      local hit = body:strike { at = { u = at[1], v = at[2] }, speed = 1, mass = 0.012, hardness = 1e6 }
      print(("%-7s struck for %.2f ms, up to %.0f N"):format(body:name(), hit.duration * 1e3, hit.peak_force))
      sb.sleep(1.2)
    end
  end)
end
