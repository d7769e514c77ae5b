-- Bodies already cut into tetrahedra, written as Gmsh files of version 2.2. A
-- deformable body takes them as they are, so that few elements stand where they
-- matter; one filled from its surface needs more of them, and shorter steps.
local Mesh = require "lib.mesh"

local Volume = {}
Volume.__index = Volume

-- The six tetrahedra of a cube lie round its diagonal: one for each order in
-- which x, y and z go from 0 to 1.
local ORDERS = { { 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 } }

local function six_volumes(a, b, c, d)
  local u, v, w = {}, {}, {}
  for i = 1, 3 do u[i], v[i], w[i] = b[i] - a[i], c[i] - a[i], d[i] - a[i] end
  return u[1] * (v[2] * w[3] - v[3] * w[2]) - u[2] * (v[1] * w[3] - v[3] * w[1]) + u[3] * (v[1] * w[2] - v[2] * w[1])
end

-- Cells along x between the stations; one through the thickness; `rows` along z.
-- Neighbours are mirror images, so that the whole has no twist.
local function cut(fields, stations, rows, width, under, top)
  local self = setmetatable({ vertices = {}, tets = {}, area = 0 }, Volume)
  for key, value in pairs(fields) do self[key] = value end
  local function vertex(i, j, k) return ((i - 1) * 2 + j) * (rows + 1) + k + 1 end
  for _, x in ipairs(stations) do
    for j = 0, 1 do
      for k = 0, rows do
        self.vertices[#self.vertices + 1] = { x, j == 0 and under(x) or top, width * (k / rows - 0.5) }
      end
    end
  end
  for i = 1, #stations - 1 do
    for k = 0, rows - 1 do
      for _, order in ipairs(ORDERS) do
        local at, tet = { 0, 0, 0 }, {}
        for n = 1, 4 do
          if n > 1 then at[order[n - 1]] = 1 end
          local dx = i % 2 == 0 and 1 - at[1] or at[1]
          local dz = k % 2 == 1 and 1 - at[3] or at[3]
          tet[n] = vertex(i + dx, at[2], k + dz)
        end
        self.tets[#self.tets + 1] = tet
      end
    end
  end
  return self
end

-- Each has a positive volume.
function Volume:settle()
  for _, tet in ipairs(self.tets) do
    local p = self.vertices
    if six_volumes(p[tet[1]], p[tet[2]], p[tet[3]], p[tet[4]]) < 0 then tet[3], tet[4] = tet[4], tet[3] end
  end
end

function Volume:check()
  local volume, least, p = 0, math.huge, self.vertices
  for _, tet in ipairs(self.tets) do
    local own = six_volumes(p[tet[1]], p[tet[2]], p[tet[3]], p[tet[4]]) / 6
    volume, least = volume + own, math.min(least, own)
  end
  assert(least > 0, self.name .. ": a tetrahedron is flat")
  return { vertices = #p, tets = #self.tets, volume = volume }
end

function Volume:write(directory)
  local lines = { "$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", tostring(#self.vertices) }
  for i, p in ipairs(self.vertices) do lines[#lines + 1] = string.format("%d %.7g %.7g %.7g", i, p[1], p[2], p[3]) end
  for _, line in ipairs { "$EndNodes", "$Elements", tostring(#self.tets) } do lines[#lines + 1] = line end
  for i, tet in ipairs(self.tets) do
    lines[#lines + 1] = string.format("%d 4 0 %d %d %d %d", i, tet[1], tet[2], tet[3], tet[4])
  end
  lines[#lines + 1] = "$EndElements\n"
  return Mesh.put(directory .. "/" .. self.name .. ".msh", table.concat(lines, "\n"))
end

-- A vibraphone's F#3, as in solids.lua. Most of the cells lie where it is carved.
-- Its underside is straight between two stations, which are set so that the mean
-- of the thickness is that of the curve: chords alone would make it too stiff.
local function vibraphone_bar()
  local length, width, height = 0.36, 0.05, 13.3736e-3
  local middle, carved = 0.367896 * height, 0.289404 * length
  local stations, pieces = {}, 12
  local function add(from, to, count)
    for i = 0, count - 1 do stations[#stations + 1] = from + (to - from) * i / count end
  end
  add(-length / 2, -carved, 2)
  add(-carved, carved, pieces)
  add(carved, length / 2, 2)
  stations[#stations + 1] = length / 2
  local function under(x)
    local t = math.abs(x) / carved
    if t > 1 - 1e-9 then return -height / 2 end
    local bulge = 6 * t * (2 / pieces) ^ 2 / 12 -- of a chord, on average
    return height / 2 - (middle + (height - middle) * (t * t * t - bulge))
  end
  return cut({ name = "vibraphone_bar" }, stations, 2, width, under, height / 2)
end

return { vibraphone_bar }
-- SPDX-License-Identifier: MIT
