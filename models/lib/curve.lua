-- Smooth curves through given points, measured along their length.
--
-- Catmull and Rom's, with centripetal knots: they pass through every point and
-- neither loop nor overshoot where points are unevenly spaced.
local curve = {}

local PIECES = 64 -- straight pieces between two given points

local function mix(p, q, t)
  local out = {}
  for i = 1, #p do out[i] = p[i] + (q[i] - p[i]) * t end
  return out
end

local function knot(before, p, q)
  return before + ((q[1] - p[1]) ^ 2 + (q[2] - p[2]) ^ 2) ^ 0.25
end

-- Barry and Goldman's pyramid, from p[2] (t = 0) to p[3] (t = 1).
local function between(p, t)
  local k1 = 0.0
  local k2 = knot(k1, p[1], p[2])
  local k3 = knot(k2, p[2], p[3])
  local k4 = knot(k3, p[3], p[4])
  local k = k2 + (k3 - k2) * t
  local a1 = mix(p[1], p[2], (k - k1) / (k2 - k1))
  local a2 = mix(p[2], p[3], (k - k2) / (k3 - k2))
  local a3 = mix(p[3], p[4], (k - k3) / (k4 - k3))
  local b1 = mix(a1, a2, (k - k1) / (k3 - k1))
  local b2 = mix(a2, a3, (k - k2) / (k4 - k2))
  return mix(b1, b2, (k - k2) / (k3 - k2))
end

-- What would come before `p` if the curve went on: on the axis (first number 0)
-- its mirror image, which makes the top of a dome level; else straight on.
local function beyond(p, q)
  local out = { 2 * p[1] - q[1], 2 * p[2] - q[2] }
  if p[1] == 0 then out[2] = q[2] end
  for i = 3, #p do out[i] = p[i] end
  return out
end

-- Points { a, b, ... } of a plane; more numbers (an edge length, say) are
-- interpolated as well. Returns the points of a polyline, and in each the
-- length up to it as `along`.
function curve.through(points)
  local n = #points
  local line = {}
  for i = 1, n - 1 do
    local four = {
      points[i - 1] or beyond(points[1], points[2]), points[i], points[i + 1],
      points[i + 2] or beyond(points[n], points[n - 1]),
    }
    for piece = (i == 1 and 0 or 1), PIECES do
      line[#line + 1] = between(four, piece / PIECES)
    end
  end
  line[1], line[#line] = mix(points[1], points[1], 0), mix(points[n], points[n], 0)
  line[1].along = 0.0
  for i = 2, #line do
    local p, q = line[i - 1], line[i]
    q.along = p.along + math.sqrt((q[1] - p[1]) ^ 2 + (q[2] - p[2]) ^ 2)
  end
  return line
end

-- Cut it so that the pieces are as long as `step(p)` asks, evenly: the whole is
-- a whole number of them. Returns points with `along` and the whole length.
function curve.cut(line, step)
  local sums = { 0.0 }
  for i = 2, #line do
    local p, q = line[i - 1], line[i]
    sums[i] = sums[i - 1] + (q.along - p.along) * 2 / (step(p) + step(q))
  end
  local count = math.max(2, math.floor(sums[#sums] + 0.5))
  local out, i = {}, 2
  for k = 0, count do
    local wanted = sums[#sums] * k / count
    while i < #line and sums[i] < wanted do i = i + 1 end
    local t = (wanted - sums[i - 1]) / (sums[i] - sums[i - 1])
    local p = mix(line[i - 1], line[i], t)
    p.along = line[i - 1].along + (line[i].along - line[i - 1].along) * t
    out[k + 1] = p
  end
  local first, last = out[1], out[count + 1]
  first[1], last[1] = line[1][1], line[#line][1] -- exactly on the axis, if there
  last.along = line[#line].along
  return out, line[#line].along
end

return curve
-- SPDX-License-Identifier: MIT
