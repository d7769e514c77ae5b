-- Grids, sweeps and tubes, laid down as patches that weld where they touch.
local patch = {}

local TAU = 2 * math.pi

-- A grid of columns i = 0 .. columns and rows j = 0 .. rows. place(i, j) gives
-- the point, map(i, j) its u and v. i, j and the outward normal are a right-
-- handed system, unless `flip`. skip(i, j) leaves a piece out.
function patch.grid(mesh, columns, rows, place, map, flip, skip)
  local corners = {}
  for i = 0, columns do
    corners[i] = {}
    for j = 0, rows do corners[i][j] = mesh:corner(place(i, j), map(i, j)) end
  end
  for i = 0, columns - 1 do
    for j = 0, rows - 1 do
      if not (skip and skip(i, j)) then
        local a, b = corners[i][j], corners[i + 1][j]
        local c, d = corners[i + 1][j + 1], corners[i][j + 1]
        if flip then b, d = d, b end
        mesh:quad(a, b, c, d, (i + j) % 2 == 0)
      end
    end
  end
  return corners
end

-- A rectangle of equilateral triangles, as near as whole numbers allow. Rows of
-- `columns` edges; every other row is shifted by half an edge, and is closed at
-- both ends with half a triangle. place(s, t) gives the point, s along the rows
-- and t across them, each 0 .. 1; map(s, t) its u and v.
function patch.lattice(mesh, columns, rows, place, map, flip)
  local function row_of(j)
    local row, odd = {}, j % 2 == 1
    local function add(s) row[#row + 1] = mesh:corner(place(s, j / rows), map(s, j / rows)) end
    if odd then add(0.0) end
    for i = 0, columns - (odd and 1 or 0) do add((i + (odd and 0.5 or 0)) / columns) end
    if odd then add(1.0) end
    return row
  end
  local function face(a, b, c)
    if flip then mesh:triangle(a, c, b) else mesh:triangle(a, b, c) end
  end
  local even, odd = row_of(0), nil
  for j = 1, rows do
    local is_odd = j % 2 == 1
    if is_odd then odd = row_of(j) else even = row_of(j) end
    for i = 1, #odd - 1 do -- the tips of odd edges lie on the even row
      if is_odd then face(even[i], odd[i + 1], odd[i]) else face(odd[i], odd[i + 1], even[i]) end
    end
    for i = 1, #even - 1 do
      if is_odd then face(even[i], even[i + 1], odd[i + 1]) else face(odd[i + 1], even[i + 1], even[i]) end
    end
  end
end

-- --- sweeps of a rectangle -------------------------------------------------------

-- Once round the rectangle: points { a, b, v }, where a is across and b is up,
-- each -0.5 .. 0.5. It begins and ends in the middle of the underside, so that
-- v = 0.5 is the middle of the top, where v grows with a. v goes from low to
-- high as the length of the way does.
local function round_rectangle(width, height, across, up, low, high)
  local points, half = {}, across // 2
  local function add(a, b) points[#points + 1] = { a, b } end
  for i = 0, half - 1 do add(-i / across, -0.5) end
  for i = 0, up - 1 do add(-0.5, -0.5 + i / up) end
  for i = 0, across - 1 do add(-0.5 + i / across, 0.5) end
  for i = 0, up - 1 do add(0.5, 0.5 - i / up) end
  for i = 0, half do add(0.5 - i / across, -0.5) end
  local along = 0.0
  points[1].along = along
  for i = 2, #points do
    local p, q = points[i - 1], points[i]
    along = along + math.abs(q[1] - p[1]) * width + math.abs(q[2] - p[2]) * height
    q.along = along
  end
  for _, p in ipairs(points) do p[3] = low + (high - low) * p.along / along end
  points[#points][1] = points[1][1] -- 0, not nearly
  return points
end

-- A rectangle, `across` by `up` pieces, swept along stations s[1] .. s[n], each
-- with its `u`. place(s, a, b) gives the point; the directions of s, b and a are
-- right-handed. options: width, height (for the texture only), low, high (of v);
-- caps = { { u, v, u, v }, { ... } } where the ends lie on the texture;
-- skip(station, piece).
-- Returns the corners, by station (0 ..) and piece (0 ..), and the points of the
-- rectangle.
function patch.sweep(mesh, stations, across, up, place, options)
  local round = round_rectangle(options.width, options.height, across, up, options.low, options.high)
  local corners = patch.grid(mesh, #stations - 1, #round - 1,
    function(i, j) return place(stations[i + 1].s, round[j + 1][1], round[j + 1][2]) end,
    function(i, j) return stations[i + 1].u, round[j + 1][3] end,
    true, options.skip)
  for is_last = 0, 1 do
    local s = stations[is_last == 1 and #stations or 1].s
    local cap = options.caps[is_last + 1]
    patch.grid(mesh, across, up,
      function(i, j) return place(s, i / across - 0.5, j / up - 0.5) end,
      function(i, j) return cap[1] + (cap[3] - cap[1]) * i / across, cap[2] + (cap[4] - cap[2]) * j / up end,
      is_last == 1)
  end
  return corners, round
end

-- --- tubes -----------------------------------------------------------------------

-- Sort the corners of a hole by their angle round `centre`, from the direction
-- `first` towards `second`.
function patch.loop_of(mesh, corners, centre, first, second)
  local angles, seen, loop = {}, {}, {}
  for _, corner in ipairs(corners) do
    local p, x, y = mesh:place(corner), 0, 0
    for i = 1, 3 do
      x, y = x + (p[i] - centre[i]) * first[i], y + (p[i] - centre[i]) * second[i]
    end
    if not seen[corner.vertex] then
      seen[corner.vertex] = true
      angles[corner] = (math.atan(y, x) + 1e-6) % TAU -- 0 may be just below 0
      loop[#loop + 1] = corner
    end
  end
  table.sort(loop, function(a, b) return angles[a] < angles[b] end)
  return loop
end

-- Join loops of equally many points; a loop is a list of points, or of corners
-- that are there already. Round, along and outward are right-handed. The
-- tube lies on the texture in `box` { u, v, u, v }, along u and round v.
function patch.tube(mesh, loops, box)
  local count = #loops[1]
  local function map(i, j)
    return box[1] + (box[3] - box[1]) * i / (#loops - 1), box[2] + (box[4] - box[2]) * j / count
  end
  local function place(i, j)
    local point = loops[i + 1][j % count + 1]
    return point.vertex and mesh:place(point) or point
  end
  return patch.grid(mesh, #loops - 1, count, place, map, true)
end

-- Close the loop of points with a fan, mapped as a disk of radius `size` at
-- (u, v). The loop runs counter-clockwise seen from outside.
function patch.lid(mesh, loop, centre, u, v, size)
  local count = #loop
  local function rim(i)
    local angle = TAU * (i % count) / count
    return mesh:corner(loop[i % count + 1], u + size * math.cos(angle), v + size * math.sin(angle))
  end
  local tip = mesh:corner(centre, u, v)
  for i = 0, count - 1 do mesh:triangle(tip, rim(i), rim(i + 1)) end
end

return patch
-- SPDX-License-Identifier: MIT
