-- Where bodies are struck when the script does not say where.
-- seconds: 0.2
local sb = require "sandbell"
local check = require "modules.check"

local function near(a, b) return math.abs(a - b) < 1e-6 end

-- name, shape, then u and v, or the local point and the way into the surface.
local rows = {
  { "bar", sb.bar { length = 0.3, width = 0.03, thickness = 0.01 }, 0.5, 0.5 },
  { "plate", sb.plate { width = 0.3, depth = 0.2, thickness = 0.002 }, 0.3, 0.37 },
  { "gong", sb.disk { radius = 0.2, thickness = 0.002 }, 0.925, 0.5 },
  { "lid", sb.disk { radius = 0.2, thickness = 0.002, support = "clamped" }, 0.75, 0.5 },
  { "drum", sb.membrane { radius = 0.2, tension = 2000, surface_density = 0.26 }, 0.75, 0.5 },
  { "string", sb.string { length = 0.65, diameter = 0.001, tension = 70 }, 0.155, 0.5 },
  { "chime", sb.tube { length = 0.5, radius = 0.02, thickness = 0.002 }, 0, 0.5 },
  { "cone", sb.cone { radius = 0.05, height = 0.1, thickness = 0.001 }, 0, 0.08 },
  { "bowl", sb.revolve { profile = { { 0, 0 }, { 0.04, 0.01 }, { 0.06, 0.05 } }, thickness = 0.001 }, 0, 0.92 },
  { "glass", sb.revolve { profile = { { 0.03, 0 }, { 0.03, 0.1 } }, thickness = 0.001, support = "clamped" }, 0, 0.92 },
}
local log = sb.body("log", { shape = sb.cylinder { radius = 0.005, length = 0.02 }, material = "steel" })
local brick = sb.body("brick", { shape = sb.box { width = 0.01, height = 0.02, depth = 0.005 }, material = "steel" })

local bodies, wanted, seen = {}, {}, 0
for i, row in ipairs(rows) do
  bodies[i] = sb.body(row[1], { shape = row[2], material = "steel" })
  wanted[row[1]] = row
end

function scene.contact(c)
  local row = wanted[c.a:name()]
  seen = seen + 1
  if row then
    check.equal(near(c.u, row[3]) and near(c.v, row[4]), true, row[1] .. " " .. c.u .. " " .. c.v)
  elseif c.a == log then -- the middle of its side
    check.equal(near(c.point[1], 0.005) and near(c.point[2], 0), true)
    check.equal(math.abs(c.normal[2]) < 1e-6, true)
  else -- its front is its largest face
    check.equal(near(c.point[3], 0.0025), true)
    check.equal(near(c.normal[3], -1), true)
  end
  if seen == #rows + 2 then print "done" end
end

function scene.start()
  for _, body in ipairs(bodies) do body:strike { speed = 0.1 } end
  log:strike { speed = 0.1 }
  brick:strike { speed = 0.1 }
end
-- SPDX-License-Identifier: MIT
