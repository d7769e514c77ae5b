-- The plate and the tube: flat lattices of equilateral triangles, one of them
-- rolled up; and a piece of a tube's wall.
local Mesh = require "lib.mesh"
local patch = require "lib.patch"

local TAU = 2 * math.pi

local function plate()
  local mesh = Mesh.new {
    name = "plate", title = "a square plate", kind = "shell", thickness = 0.002, material = "steel",
    size = "0.3 x 0.3 m",
  }
  local side = 0.3
  patch.lattice(mesh, 24, 28,
    function(s, t) return { (s - 0.5) * side, 0.0, (t - 0.5) * side } end,
    function(s, t) return s, t end,
    true)
  return mesh
end

-- The lattice's rows run along the tube, so that the seam is straight.
local function cylinder()
  local mesh = Mesh.new {
    name = "cylinder", title = "an open tube", kind = "shell", thickness = 0.001, material = "steel",
    size = "radius 0.05 m, length 0.12 m",
  }
  local radius, length, around = 0.05, 0.12, 48
  patch.lattice(mesh, 16, around,
    function(s, t)
      local angle = TAU * (t % 1)
      return { radius * math.cos(angle), (s - 0.5) * length, radius * math.sin(angle) }
    end,
    function(s, t) return t, s end)
  return mesh
end

-- A fan blade as it was measured (scripts/truth/curved_shell.lua): half a radian
-- of a wall, as long as its arc.
local function curved_shell()
  local mesh = Mesh.new {
    name = "curved_shell", title = "a piece of a wide tube", kind = "shell", thickness = 0.003048,
    material = "steel", size = "arc and length 0.3048 m, radius 0.6096 m",
  }
  local radius, side, pieces = 0.6096, 0.3048, 20
  patch.grid(mesh, pieces, pieces,
    function(i, j)
      local angle = 0.5 * (i / pieces - 0.5)
      return { radius * math.sin(angle), radius * (math.cos(angle) - 1), (j / pieces - 0.5) * side }
    end,
    function(i, j) return i / pieces, j / pieces end,
    true)
  return mesh
end

return { plate, cylinder, curved_shell }
-- SPDX-License-Identifier: MIT
