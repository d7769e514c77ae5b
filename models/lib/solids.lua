-- Closed surfaces of full things: bars, a table's top, a die, rings and a tuning
-- fork.
local Mesh = require "lib.mesh"
local patch = require "lib.patch"

local TAU = 2 * math.pi

-- n pieces from `from` to `to`, after what is in `stations` already.
local function add_stations(stations, from, to, n)
  for i = (#stations == 0 and 0 or 1), n do
    stations[#stations + 1] = { s = from + (to - from) * i / n }
  end
end

-- The sides of a bar are unrolled about the middle of its top, so that u and
-- v = 0.5 are where sb.bar has them; the ends lie below and above.
local BAR_LOW, BAR_HIGH = 0.1, 0.9

local function end_caps(width, height)
  local wide = 0.08 * width / height -- as wide as they are high, in proportion
  wide = math.min(wide, 0.9)
  return { { 0.5 - wide / 2, 0.01, 0.5 + wide / 2, 0.09 }, { 0.5 - wide / 2, 0.91, 0.5 + wide / 2, 0.99 } }
end

local function bar_of(mesh, stations, length, width, height, across, up, underside)
  for _, station in ipairs(stations) do station.u = station.s / length + 0.5 end
  patch.sweep(mesh, stations, across, up,
    function(x, a, b) return { x, height / 2 - (0.5 - b) * underside(x), a * width } end,
    { width = width, height = height, low = BAR_LOW, high = BAR_HIGH, caps = end_caps(width, height) })
  return mesh
end

local function bar()
  local mesh = Mesh.new {
    name = "bar", title = "a plain bar", kind = "solid", material = "steel", size = "0.2 x 0.005 x 0.02 m",
  }
  local length, width, height = 0.2, 0.02, 0.005
  local stations = {}
  add_stations(stations, -length / 2, length / 2, 64)
  return bar_of(mesh, stations, length, width, height, 6, 2, function() return height end)
end

-- A vibraphone's F#3. The underside is carved to a cubic, so that the first
-- overtones of a thin bar are 1 : 4 : 10.
local function vibraphone_bar()
  local mesh = Mesh.new {
    name = "vibraphone_bar", title = "a vibraphone's F#3 bar, carved from below", kind = "solid",
    material = "aluminium", size = "0.36 x 0.0133736 x 0.05 m, 0.00492 m thick in the middle",
  }
  local length, width, height = 0.36, 0.05, 13.3736e-3
  local middle, carved = 0.367896 * height, 0.289404 * length
  local function thickness(x)
    local t = math.min(1, math.abs(x) / carved)
    return middle + (height - middle) * t * t * t
  end
  local stations = {}
  add_stations(stations, -length / 2, -carved, 13) -- stations where the cut begins
  add_stations(stations, -carved, carved, 36)
  add_stations(stations, carved, length / 2, 13)
  return bar_of(mesh, stations, length, width, height, 8, 2, thickness)
end

-- A table's top, of as few vertices as that of Raghuvanshi and Lin.
local function table_600()
  local mesh = Mesh.new {
    name = "table_600", title = "a table's top of 600 vertices", kind = "solid", material = "wood",
    size = "1.2 x 0.04 x 0.7 m",
  }
  local length, width, height = 1.2, 0.7, 0.04
  local stations = {}
  add_stations(stations, -length / 2, length / 2, 19)
  return bar_of(mesh, stations, length, width, height, 14, 1, function() return height end)
end

-- --- the die -----------------------------------------------------------------------

-- Lines on a face from edge to edge: a flat middle, and the part of the
-- rounding, up to 45 degrees, that belongs to this face.
local function die_lines(half, rounding, flat_pieces, round_pieces)
  local lines, flat = {}, half - rounding
  for i = round_pieces, 1, -1 do lines[#lines + 1] = -flat - rounding * math.tan(TAU / 8 * i / round_pieces) end
  for i = 0, flat_pieces do lines[#lines + 1] = flat * (2 * i / flat_pieces - 1) end
  for i = 1, round_pieces do lines[#lines + 1] = flat + rounding * math.tan(TAU / 8 * i / round_pieces) end
  return lines
end

-- A point of a cube, drawn in to the rounded one: what is nearest on a cube
-- without the rounding, and out from there by the radius.
local function rounded(p, flat, rounding)
  local core, away, length = {}, {}, 0
  for i = 1, 3 do
    core[i] = math.max(-flat, math.min(flat, p[i]))
    away[i] = p[i] - core[i]
    length = length + away[i] ^ 2
  end
  length = math.sqrt(length)
  for i = 1, 3 do core[i] = core[i] + rounding * away[i] / length end
  return core
end

local function die()
  local mesh = Mesh.new {
    name = "die", title = "a big die with round edges", kind = "solid", material = "plastic",
    size = "0.05 m, edges rounded by 0.006 m",
  }
  local half, rounding = 0.025, 0.006
  local lines = die_lines(half, rounding, 10, 2)
  local n = #lines - 1
  -- On the texture: three faces in each of two rows.
  for face = 0, 5 do
    local axis, side = face % 3 + 1, face < 3 and 1 or -1
    local next_axis, last_axis = axis % 3 + 1, (axis + 1) % 3 + 1
    patch.grid(mesh, n, n,
      function(i, j)
        local p = {}
        p[axis], p[next_axis], p[last_axis] = side * half, lines[i + 1], lines[j + 1]
        return rounded(p, half - rounding, rounding)
      end,
      function(i, j)
        return (face % 3 + 0.01 + 0.98 * i / n) / 3, (face // 3 + 0.01 + 0.98 * j / n) / 2
      end,
      side < 0)
  end
  return mesh
end

-- --- the ring -----------------------------------------------------------------------

local function ring_of(mesh, along, round)
  local radius = 0.05
  -- The section is a polygon of the circle's area, and bends as the wire would.
  local wire = 0.004 * math.sqrt(TAU / round / math.sin(TAU / round))
  patch.grid(mesh, along, round,
    function(i, j)
      local angle, turn = TAU * (i % along) / along, TAU * (j % round) / round
      local reach = radius + wire * math.cos(turn)
      return { reach * math.cos(angle), wire * math.sin(turn), reach * math.sin(angle) }
    end,
    function(i, j) return i / along, j / round end,
    true)
  return mesh
end

local function ring()
  return ring_of(Mesh.new {
    name = "ring", title = "a ring of round wire", kind = "solid", material = "steel",
    size = "radius 0.05 m to the middle of the wire, wire radius 0.004 m",
  }, 126, 12)
end

-- The same of as few vertices as those of Raghuvanshi and Lin.
local function ring_200()
  return ring_of(Mesh.new {
    name = "ring_200", title = "a ring of round wire, of 200 vertices", kind = "solid", material = "bronze",
    size = "radius 0.05 m to the middle of the wire, wire radius 0.004 m",
  }, 25, 8)
end

-- --- the tuning fork ------------------------------------------------------------------

-- The middle line: down one prong, round the bend, up the other; s is 0 at the
-- bottom of the bend. Returns the point and the direction of the way.
local function fork_line(s, bend, prong)
  local quarter = bend * TAU / 4
  if math.abs(s) <= quarter then
    local angle = s / bend
    return bend * math.sin(angle), -bend * math.cos(angle), math.cos(angle), math.sin(angle)
  end
  local side = s < 0 and -1 or 1
  return side * bend, math.min(prong, math.abs(s) - quarter), 0.0, side
end

-- Where the stem begins: the corners round a piece of the bend's outside.
local function root_of_stem(corners, round, middle, reach)
  local root = {}
  for i = middle - reach, middle + reach do
    for j = 0, #round - 1 do
      local is_inside = math.abs(i - middle) < reach and math.abs(round[j + 1][1]) < 0.5
      if round[j + 1][2] == -0.5 and not is_inside then root[#root + 1] = corners[i][j] end
    end
  end
  return root
end

local function add_stem(mesh, root, top, length, radius)
  local pieces, loops = 26, {}
  local loop = patch.loop_of(mesh, root, { 0.0, top, 0.0 }, { 1, 0, 0 }, { 0, 0, 1 })
  local count = #loop
  loops[1] = loop
  for i = 1, pieces do
    local points = {}
    for k = 1, count do
      local at = mesh:place(loop[k])
      local angle = math.atan(at[3], at[1])
      local even = TAU * (k - 1) / count + math.atan(mesh:place(loop[1])[3], mesh:place(loop[1])[1])
      local t = math.min(1, i / 4) -- from the root's own angles to even ones
      angle = angle % TAU + (even - angle % TAU) * t
      local from = math.sqrt(at[1] ^ 2 + at[3] ^ 2)
      local reach = radius + (from - radius) * (1 - t) ^ 2
      points[k] = { reach * math.cos(angle), top - length * i / pieces, reach * math.sin(angle) }
    end
    loops[i + 1] = points
  end
  patch.tube(mesh, loops, { 0.02, 0.84, 0.6, 0.98 })
  patch.lid(mesh, loops[#loops], { 0.0, top - length, 0.0 }, 0.7, 0.91, 0.06)
end

-- A' at 440 Hz. A clamped bar has f = 1.8751^2 / (2 pi L^2) h sqrt(E / 12 rho);
-- of a fork, most of the bend's half belongs to L: 0.946 of it, by a plane finite
-- element computation of this fork with its stem.
local function tuning_fork()
  local width, thickness, bend = 0.006, 0.004, 0.006
  local youngs_modulus, density = 2.0e11, 7850 -- steel
  local clamped = math.sqrt(1.8751 ^ 2 / (TAU * 440) * thickness * math.sqrt(youngs_modulus / (12 * density)))
  local quarter = bend * TAU / 4
  local prong = clamped - 0.946 * quarter
  local mesh = Mesh.new {
    name = "tuning_fork", title = "a tuning fork", kind = "solid", material = "steel",
    size = string.format("prongs %.4f m long, 0.004 m thick, 0.006 m wide; stem 0.04 m", prong),
  }
  local stations = {}
  add_stations(stations, -prong - quarter, -quarter, 38)
  add_stations(stations, -quarter, quarter, 12)
  add_stations(stations, quarter, prong + quarter, 38)
  for _, station in ipairs(stations) do station.u = 0.5 + station.s / (2 * (prong + quarter)) end
  local middle, reach, across = #stations // 2, 1, 4
  local pieces = 2 * across + 2 * 3
  local function is_root(i, j) -- the underside of the section is the outside
    return i >= middle - reach and i < middle + reach and (j < across // 2 or j >= pieces - across // 2)
  end
  local corners, round = patch.sweep(mesh, stations, across, 3,
    function(s, a, b)
      local x, y, along_x, along_y = fork_line(s, bend, prong)
      return { x - along_y * b * thickness, y + along_x * b * thickness, a * width }
    end,
    { width = width, height = thickness, low = 0.0, high = 0.8, skip = is_root,
      caps = { { 0.8, 0.82, 0.87, 0.9 }, { 0.9, 0.82, 0.97, 0.9 } } })
  add_stem(mesh, root_of_stem(corners, round, middle, reach), -bend - thickness / 2, 0.04, 0.0025)
  return mesh
end

return { bar, vibraphone_bar, die, ring, tuning_fork, ring_200, table_600 }
-- SPDX-License-Identifier: MIT
