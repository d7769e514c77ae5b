-- Surfaces of revolution about the y axis: u = angle / 2 pi from x towards z,
-- v along the profile.
--
-- The profile { radius, height, edge } is cut into rings, and each ring into as
-- many edges of the wanted length as go round. Rings are divided into equal
-- sectors that all look alike; there are seven of them, an odd number, because
-- a mesh of n sectors keeps the two modes of every pair with the same number of
-- nodal diameters at one frequency, unless n divides twice that number: six
-- would make the hum of 3 diameters beat.
local curve = require "lib.curve"

local revolve = {}

local TAU = 2 * math.pi
local SECTORS = 7
local ROW = 0.9 -- from ring to ring, in edges: a little more than sqrt(3) / 2

-- How many edges a sector of the ring has. Different from the ring before, where
-- there are enough of them, so that rings interlock like bricks and triangles
-- are nearly equilateral.
local function sector_edges(wanted, before)
  local count = math.max(1, math.floor(wanted + 0.5))
  if wanted < 3.2 or count ~= before then return count end
  return wanted > count and count + 1 or count - 1
end

-- One ring of corners, 0 .. n; the last is the first at u = 1.
local function make_ring(mesh, radius, height, n, v)
  local ring = { n = n, v = v }
  for i = 0, n do
    local angle = TAU * (i % n) / n
    ring[i] = mesh:corner({ radius * math.cos(angle), height, radius * math.sin(angle) }, i / n, v)
  end
  return ring
end

local function fan(mesh, pole, ring, flip)
  for i = 0, ring.n - 1 do
    local tip = mesh:corner(pole, (i + 0.5) / ring.n, pole.v)
    if flip then
      mesh:triangle(tip, ring[i + 1], ring[i])
    else
      mesh:triangle(tip, ring[i], ring[i + 1])
    end
  end
end

-- Sew two rings together, always with the edge whose middle comes next. Whole
-- numbers decide, so that all sectors are sewn alike.
local function sew(mesh, a, b, row, flip)
  local i, j = 0, 0
  while i < a.n or j < b.n do
    local difference = (2 * i + 1) * b.n - (2 * j + 1) * a.n
    local on_a = difference < 0 or (difference == 0 and (row + i) % 2 == 0)
    if i == a.n then on_a = false elseif j == b.n then on_a = true end
    local p, q, r = a[i], b[j], on_a and a[i + 1] or b[j + 1]
    if flip then mesh:triangle(q, p, r) else mesh:triangle(p, q, r) end
    if on_a then i = i + 1 else j = j + 1 end
  end
end

-- options:
--   down     the profile runs downwards along the outside (a bell's, from its
--            crown): faces turn the other way
--   sectors  another number than 7
--   count    function(point, wanted) -> edges of a sector, or nil to choose
--   v_scale  v of the profile's end, 1 unless told
--   skip     function(row, column) -> true to leave a piece out, for rings of
--            equal count
-- Returns the rings.
function revolve.surface(mesh, profile, options)
  options = options or {}
  local sectors = options.sectors or SECTORS
  local points, length = curve.cut(curve.through(profile), function(p) return ROW * p[3] end)
  local rings, before = {}, nil
  for row, p in ipairs(points) do
    local v = (options.v_scale or 1) * p.along / length
    if p[1] == 0 then
      rings[row] = { 0.0, p[2], 0.0, v = v, is_pole = true }
    else
      local wanted = TAU * p[1] / (sectors * p[3])
      before = options.count and options.count(p, wanted) or sector_edges(wanted, before)
      rings[row] = make_ring(mesh, p[1], p[2], sectors * before, v)
    end
  end
  for row = 1, #rings - 1 do
    local a, b = rings[row], rings[row + 1]
    if a.is_pole then
      fan(mesh, a, b, options.down)
    elseif b.is_pole then
      fan(mesh, b, a, not options.down)
    elseif options.skip and a.n == b.n then
      revolve.sew_quads(mesh, a, b, row, options)
    else
      sew(mesh, a, b, row, options.down)
    end
  end
  return rings
end

function revolve.sew_quads(mesh, a, b, row, options)
  for i = 0, a.n - 1 do
    if not options.skip(row, i) then
      local odd = (row + i) % 2 == 0
      if options.down then
        mesh:quad(a[i], a[i + 1], b[i + 1], b[i], odd)
      else
        mesh:quad(b[i], b[i + 1], a[i + 1], a[i], odd)
      end
    end
  end
end

return revolve
-- SPDX-License-Identifier: MIT
