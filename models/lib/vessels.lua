-- Thin things turned about the y axis: bowl, bell, wine glass, gong and cup. A
-- profile is a list of { radius, height, edge length } through which a smooth
-- curve goes: the middle surface of the wall.
local Mesh = require "lib.mesh"
local curve = require "lib.curve"
local patch = require "lib.patch"
local revolve = require "lib.revolve"

local function bowl()
  local mesh = Mesh.new {
    name = "bowl", title = "a singing bowl", kind = "shell", thickness = 0.003, material = "bronze",
    size = "diameter 0.18 m, height 0.085 m",
  }
  local edge = 0.0085
  revolve.surface(mesh, {
    { 0.000, 0.0000, edge }, { 0.025, 0.0003, edge }, { 0.045, 0.0030, edge }, { 0.065, 0.0120, edge },
    { 0.079, 0.0260, edge }, { 0.087, 0.0430, edge }, { 0.090, 0.0600, edge }, { 0.0895, 0.074, edge },
    { 0.0875, 0.085, edge },
  })
  return mesh
end

-- Crown, shoulder, waist and lip, from the top down.
local function bell()
  local mesh = Mesh.new {
    name = "bell", title = "a small church bell", kind = "shell", thickness = 0.008, material = "bronze",
    size = "mouth 0.3 m wide, height 0.25 m",
  }
  local edge = 0.0145
  revolve.surface(mesh, {
    { 0.0000, 0.2500, edge }, { 0.0350, 0.2490, edge }, { 0.0600, 0.2450, edge }, { 0.0750, 0.2350, edge },
    { 0.0820, 0.2180, edge }, { 0.0850, 0.1950, edge }, { 0.0900, 0.1550, edge }, { 0.0980, 0.1100, edge },
    { 0.1100, 0.0680, edge }, { 0.1240, 0.0350, edge }, { 0.1380, 0.0140, edge }, { 0.1500, 0.0000, edge },
  }, { down = true })
  return mesh
end

-- Blown in one piece, foot, stem and all, so the stem is hollow and open below:
-- a surface without branches.
local function wine_glass()
  local mesh = Mesh.new {
    name = "wine_glass", title = "a wine glass with a hollow stem", kind = "shell", thickness = 0.0012,
    material = "glass", size = "height 0.18 m, bowl 0.078 m wide, foot 0.07 m wide",
  }
  local wide, fine = 0.0068, 0.0019
  revolve.surface(mesh, {
    { 0.0350, 0.0000, 0.0060 }, { 0.0280, 0.0015, 0.0052 }, { 0.0200, 0.0032, 0.0040 }, { 0.0120, 0.0060, 0.0028 },
    { 0.0070, 0.0115, fine }, { 0.0048, 0.0200, fine }, { 0.0042, 0.0350, fine }, { 0.0042, 0.0500, fine },
    { 0.0046, 0.0640, fine }, { 0.0065, 0.0720, fine }, { 0.0120, 0.0775, 0.0028 }, { 0.0210, 0.0840, 0.0040 },
    { 0.0300, 0.0940, 0.0056 }, { 0.0365, 0.1080, wide }, { 0.0390, 0.1240, wide }, { 0.0385, 0.1420, wide },
    { 0.0355, 0.1620, wide }, { 0.0320, 0.1800, wide },
  })
  return mesh
end

-- Boss, dome and the deep rim turned down behind them.
local function gong()
  local mesh = Mesh.new {
    name = "gong", title = "a gong with a boss", kind = "shell", thickness = 0.003, material = "bronze",
    size = "diameter 0.4 m, rim 0.06 m deep, boss 0.08 m wide",
  }
  local edge, fine = 0.0135, 0.0095
  revolve.surface(mesh, {
    { 0.0000, 0.1080, fine }, { 0.0160, 0.1060, fine }, { 0.0280, 0.0990, fine }, { 0.0360, 0.0885, fine },
    { 0.0450, 0.0815, 0.0105 }, { 0.0650, 0.0785, edge }, { 0.1000, 0.0740, edge }, { 0.1400, 0.0675, edge },
    { 0.1720, 0.0595, edge }, { 0.1900, 0.0490, edge }, { 0.1980, 0.0330, edge }, { 0.1960, 0.0160, edge },
    { 0.1900, 0.0000, edge },
  }, { down = true })
  return mesh
end

-- --- the cup ---------------------------------------------------------------------

-- The middle line of the handle, from the wall at `top` out and back to it at
-- `bottom`: { x, y } with x away from the axis.
local function handle_line(wall, top, bottom)
  local middle, reach = (top + bottom) / 2, 0.030
  local line = curve.through {
    { wall, top }, { wall + 0.35 * reach, top + 0.001 }, { wall + 0.8 * reach, top - 0.006 },
    { wall + reach, middle + 0.008 }, { wall + 0.93 * reach, middle - 0.010 },
    { wall + 0.4 * reach, bottom - 0.0005 }, { wall, bottom },
  }
  return curve.cut(line, function() return 0.0032 end)
end

-- The hole that the handle fills: all corners on its edge.
local function hole_of(rings, row, column, size)
  local corners = {}
  for i = 0, size do
    for j = 0, size do
      if i == 0 or j == 0 or i == size or j == size then
        corners[#corners + 1] = rings[row + i][column + j]
      end
    end
  end
  return corners
end

local function middle_of(mesh, corners)
  local x, y = 0, 0
  for _, corner in ipairs(corners) do
    local p = mesh:place(corner)
    x, y = x - p[1] / #corners, y + p[2] / #corners
  end
  return x, y
end

-- The handle's section, seen from its middle line: { out, aside } of each
-- point. It is the hole's where it leaves the wall and turns into an ellipse.
local function section(hole, rows_away)
  local points, t = {}, math.min(1, rows_away / 4)
  local hole_part = (1 - t) ^ 2
  for k, edge in ipairs(hole) do
    local angle = 2 * math.pi * (k - 1) / #hole
    local out, aside = 0.0042 * math.cos(angle), 0.0056 * math.sin(angle)
    points[k] = { out + (edge[1] - out) * hole_part, aside + (edge[2] - aside) * hole_part }
  end
  return points
end

-- The points of a hole as section() wants them; `up` is 1 where the handle's
-- outside is above its middle line.
local function hole_section(mesh, loop, middle, up)
  local points = {}
  for k, corner in ipairs(loop) do
    local p = mesh:place(corner)
    points[k] = { (p[2] - middle) * up, -p[3] }
  end
  return points
end

-- A tube between two holes in the wall on the side of -x.
local function add_handle(mesh, upper, lower, box)
  local wall, top = middle_of(mesh, upper)
  local _, bottom = middle_of(mesh, lower)
  local line, side = handle_line(wall, top, bottom), { 0, 0, -1 }
  local first = patch.loop_of(mesh, upper, { -wall, top, 0 }, { 0, 1, 0 }, side)
  local last = patch.loop_of(mesh, lower, { -wall, bottom, 0 }, { 0, -1, 0 }, side)
  local first_hole, last_hole = hole_section(mesh, first, top, 1), hole_section(mesh, last, bottom, -1)
  local loops = { first }
  for i = 2, #line - 1 do
    local p, before, after = line[i], line[i - 1], line[i + 1]
    local dx, dy = after[1] - before[1], after[2] - before[2]
    local length = math.sqrt(dx * dx + dy * dy)
    dx, dy = dx / length, dy / length
    local from_first, from_last = i - 1, #line - i
    local hole = from_first < from_last and first_hole or last_hole
    local points = section(hole, math.min(from_first, from_last))
    for k, q in ipairs(points) do
      points[k] = { -(p[1] - dy * q[1]), p[2] + dx * q[1], -q[2] }
    end
    loops[i] = points
  end
  loops[#line] = last
  patch.tube(mesh, loops, box)
end

-- A mug. Its handle is hollow and grows out of the wall, so that it is one
-- surface. The wall has as many edges all round, for the handle to be sewn to.
local function cup()
  local mesh = Mesh.new {
    name = "cup", title = "a mug with a hollow handle", kind = "shell", thickness = 0.0035, material = "ceramic",
    size = "diameter 0.08 m, height 0.095 m, handle 0.01 m thick",
  }
  local edge, size, column = 0.0056, 2, 23 -- columns 23 and 24 of 48 are at -x
  local profile = {
    { 0.000, 0.0000, edge }, { 0.015, 0.0000, edge }, { 0.030, 0.0004, edge }, { 0.0365, 0.0030, edge },
    { 0.0392, 0.0090, edge }, { 0.040, 0.018, edge }, { 0.040, 0.035, edge }, { 0.040, 0.055, edge },
    { 0.040, 0.075, edge }, { 0.040, 0.095, edge },
  }
  local upper, lower = 22, 13 -- the rings where the holes begin
  local rings = revolve.surface(mesh, profile, {
    sectors = 6, v_scale = 0.85,
    count = function(p) return p[2] > 0.004 and 8 or nil end,
    skip = function(row, i)
      local is_row = (row >= upper and row < upper + size) or (row >= lower and row < lower + size)
      return is_row and i >= column and i < column + size
    end,
  })
  add_handle(mesh, hole_of(rings, upper, column, size), hole_of(rings, lower, column, size), { 0, 0.87, 1, 1 })
  return mesh
end

return { bowl, bell, wine_glass, gong, cup }
-- SPDX-License-Identifier: MIT
