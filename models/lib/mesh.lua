-- A triangle mesh that is built corner by corner, checked, and written as OBJ.
--
-- Points that come out in the same place are one vertex, however they were
-- reached: patches that touch are welded without saying so. Texture coordinates
-- belong to corners, so a seam is where one vertex has several of them.
--
-- Units: metres; u and v from 0 to 1. Faces turn counter-clockwise seen from
-- outside.
local Mesh = {}
Mesh.__index = Mesh

-- Finer than any edge here by four digits, coarser than what arithmetic loses.
local WELD_M = 1e-7

-- fields: name, title, kind ("shell" or "solid"), thickness (m, shells only),
-- material, size (words)
function Mesh.new(fields)
  local mesh = { vertices = {}, uvs = {}, faces = {}, by_place = {}, by_uv = {} }
  for key, value in pairs(fields) do mesh[key] = value end
  return setmetatable(mesh, Mesh)
end

local function nearest(x, step)
  return math.floor(x / step + 0.5)
end

-- The corner of a face: a point, and where it lies on a texture.
function Mesh:corner(p, u, v)
  local key = string.format("%d %d %d", nearest(p[1], WELD_M), nearest(p[2], WELD_M), nearest(p[3], WELD_M))
  local vertex = self.by_place[key]
  if not vertex then
    vertex = #self.vertices + 1
    self.vertices[vertex] = { p[1], p[2], p[3] }
    self.by_place[key] = vertex
  end
  return { vertex = vertex, uv = self:uv(u, v) }
end

-- The same point, elsewhere on the texture.
function Mesh:moved(corner, u, v)
  return { vertex = corner.vertex, uv = self:uv(u, v) }
end

function Mesh:uv(u, v)
  local key = string.format("%.6g %.6g", u + 0.0, v + 0.0)
  local index = self.by_uv[key]
  if not index then
    index = #self.uvs + 1
    self.uvs[index] = { u, v, text = key }
    self.by_uv[key] = index
  end
  return index
end

function Mesh:place(corner)
  return self.vertices[corner.vertex]
end

function Mesh:triangle(a, b, c)
  self.faces[#self.faces + 1] = { a, b, c }
end

local function distance(p, q)
  return math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2)
end

-- Cut along the shorter diagonal. Where both are alike they alternate, as on a
-- Union Jack, so that no direction is stiffer than its mirror image.
function Mesh:quad(a, b, c, d, is_odd)
  local ac, bd = distance(self:place(a), self:place(c)), distance(self:place(b), self:place(d))
  local along_ac = is_odd
  if math.abs(ac - bd) > 0.02 * ac then along_ac = ac < bd end
  if along_ac then
    self:triangle(a, b, c)
    self:triangle(a, c, d)
  else
    self:triangle(a, b, d)
    self:triangle(b, c, d)
  end
end

-- Keep of `list` what faces use as their corners' `field`, in order.
local function keep_used(faces, list, field)
  local used, kept, new = {}, {}, {}
  for _, face in ipairs(faces) do
    for _, corner in ipairs(face) do used[corner[field]] = true end
  end
  for i, item in ipairs(list) do
    if used[i] then
      kept[#kept + 1] = item
      new[i] = #kept
    end
  end
  for _, face in ipairs(faces) do
    for i, corner in ipairs(face) do
      face[i] = { vertex = corner.vertex, uv = corner.uv }
      face[i][field] = new[corner[field]]
    end
  end
  return kept
end

-- Nothing can be added after this. Leave out what no face uses (pieces that
-- were skipped), move half the height to y = 0, and keep of each number what
-- will be written. x and z stay: there the axis of a turned thing is at 0.
function Mesh:settle()
  self.vertices = keep_used(self.faces, self.vertices, "vertex")
  self.uvs = keep_used(self.faces, self.uvs, "uv")
  local low, high = math.huge, -math.huge
  for _, p in ipairs(self.vertices) do
    low, high = math.min(low, p[2]), math.max(high, p[2])
  end
  for _, p in ipairs(self.vertices) do
    p[2] = p[2] - (low + high) / 2
    for axis = 1, 3 do
      local x = nearest(p[axis], WELD_M) * WELD_M
      p[axis] = tonumber(string.format("%.6g", x)) + 0.0 -- never -0
    end
  end
end

-- --- what must hold -----------------------------------------------------------

local function minus(p, q)
  return p[1] - q[1], p[2] - q[2], p[3] - q[3]
end

-- Twice the area, and six times the volume under the face.
local function measure(p, q, r)
  local ax, ay, az = minus(q, p)
  local bx, by, bz = minus(r, p)
  local nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
  return math.sqrt(nx * nx + ny * ny + nz * nz), p[1] * nx + p[2] * ny + p[3] * nz
end

function Mesh:demand(condition, message, ...)
  if not condition then
    error(string.format("%s: " .. message, self.name, ...), 0)
  end
end

-- Each edge once in each direction: two faces at most, turned alike.
function Mesh:count_edges()
  local seen, edges, border = {}, 0, 0
  for index, face in ipairs(self.faces) do
    for i = 1, 3 do
      local key = face[i].vertex << 24 | face[i % 3 + 1].vertex
      self:demand(not seen[key], "faces %d and %d share an edge and a direction", seen[key] or 0, index)
      seen[key] = index
    end
  end
  for key in pairs(seen) do
    local back = (key & 0xffffff) << 24 | key >> 24
    if not seen[back] then border = border + 1 end
    if not seen[back] or key < back then edges = edges + 1 end
  end
  return edges, border
end

-- The faces round a vertex are one fan: no two cones meet at their tips.
function Mesh:check_fans()
  local faces_at, ways_out = {}, {}
  for _, face in ipairs(self.faces) do
    for i = 1, 3 do
      local at, to, from = face[i].vertex, face[i % 3 + 1].vertex, face[(i + 1) % 3 + 1].vertex
      faces_at[at] = (faces_at[at] or 0) + 1
      ways_out[at] = ways_out[at] or {}
      ways_out[at][to] = from
    end
  end
  for vertex = 1, #self.vertices do
    local ways = ways_out[vertex]
    self:demand(ways, "vertex %d has no face", vertex)
    local entered = {}
    for _, from in pairs(ways) do entered[from] = true end
    local first = next(ways)
    for to in pairs(ways) do
      if not entered[to] then first = to end -- the border's end
    end
    local count, to = 0, first
    repeat
      to, count = ways[to], count + 1
    until not ways[to] or to == first
    self:demand(count == faces_at[vertex], "the faces at vertex %d are several fans", vertex)
  end
end

function Mesh:check_faces()
  local volume, area, least = 0, 0, math.huge
  for index, face in ipairs(self.faces) do
    local p, q, r = self:place(face[1]), self:place(face[2]), self:place(face[3])
    local twice_area, six_volumes = measure(p, q, r)
    local sides = distance(p, q) ^ 2 + distance(q, r) ^ 2 + distance(r, p) ^ 2
    local quality = 2 * math.sqrt(3) * twice_area / sides -- 1: equilateral
    self:demand(quality > 0.2, "face %d is degenerate (quality %.3f)", index, quality)
    least = math.min(least, quality)
    area, volume = area + twice_area / 2, volume + six_volumes / 6
  end
  return volume, area, least
end

function Mesh:check_uvs()
  for index, face in ipairs(self.faces) do
    local p, q, r = self.uvs[face[1].uv], self.uvs[face[2].uv], self.uvs[face[3].uv]
    for _, uv in ipairs { p, q, r } do
      self:demand(uv[1] >= 0 and uv[1] <= 1 and uv[2] >= 0 and uv[2] <= 1,
        "face %d leaves the texture at %s", index, uv.text)
    end
    local area = (q[1] - p[1]) * (r[2] - p[2]) - (r[1] - p[1]) * (q[2] - p[2])
    self:demand(math.abs(area) > 1e-9, "face %d has no area on the texture", index)
  end
end

-- Raises, naming the model and the face, if this is not a clean mesh. Returns
-- its figures.
function Mesh:check()
  local count = #self.vertices
  self:demand(count >= 200 and count <= 2500, "%d vertices", count)
  local edges, border = self:count_edges()
  self:check_fans()
  self:check_uvs()
  local volume, area, quality = self:check_faces()
  if self.kind == "solid" then
    self:demand(border == 0, "%d edges of a closed surface have one face", border)
    self:demand(volume > 0, "its volume is %g: inside out", volume)
  else
    self:demand(border > 0 and self.thickness, "a shell has a rim and a thickness")
  end
  return { vertices = count, faces = #self.faces, border = border, volume = volume, area = area, quality = quality,
    euler = count - edges + #self.faces }
end

-- --- the file -----------------------------------------------------------------

function Mesh:text()
  local body = self.thickness and string.format("thickness %g m", self.thickness) or "solid"
  local lines = {
    "# Sandbell: " .. self.title .. ", " .. self.size,
    "# " .. body .. ", " .. self.material,
    "# generated by models/generate.lua, MIT licence; metres, y up",
    "o " .. self.name,
  }
  local function add(...) lines[#lines + 1] = string.format(...) end
  for _, p in ipairs(self.vertices) do add("v %.6g %.6g %.6g", p[1], p[2], p[3]) end
  for _, uv in ipairs(self.uvs) do add("vt %s", uv.text) end
  for _, face in ipairs(self.faces) do
    local a, b, c = face[1], face[2], face[3]
    add("f %d/%d %d/%d %d/%d", a.vertex, a.uv, b.vertex, b.uv, c.vertex, c.uv)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Whole or not at all: a reader never meets half a file.
function Mesh.put(path, text)
  local unfinished = path .. ".tmp"
  local file = assert(io.open(unfinished, "wb"))
  assert(file:write(text))
  assert(file:close())
  assert(os.rename(unfinished, path))
  return #text
end

function Mesh:write(directory)
  local text = self:text()
  self:demand(#text < 250000, "%d bytes are too many", #text)
  return Mesh.put(directory .. "/" .. self.name .. ".obj", text)
end

return Mesh
-- SPDX-License-Identifier: MIT
