-- One steel bar, 200 x 20 x 5 mm, solved by four methods, and by a fifth as a
-- warning. Its exact frequencies are known from three-dimensional elasticity.
-- The scene prints the error of each method in cents (hundredths of a
-- semitone). `sandbell modes scripts/four_methods.lua` lists all modes.
local sb = require "sandbell"

sb.listener { position = { 0, 0.3, 0.6 }, facing = { 0, -0.3, -0.6 }, gain = 20 }

local ways = {
  -- Bending theory in closed form: no mesh, nothing to solve.
  { method = "analytic", bending = { 1, 2, 4 } },
  -- Masses and springs on a sheet of triangles, braced against bending.
  -- Accurate on equilateral triangles, as here, and for a Poisson's ratio of
  -- 1/3. The sheet is too stiff in its plane, so the mode that bends the bar
  -- sideways is missing.
  { method = "springs", bending = { 1, 2, 3 } },
  -- Thin plate elements on the same sheet. Torsion is 6 % too high: a bar only
  -- four times as wide as thick is not a thin plate.
  { method = "shell", bending = { 1, 2, 4 } },
  -- Quadratic tetrahedra: all families of modes are right.
  { method = "solid", bending = { 1, 2, 4 } },
  -- Linear tetrahedra lock in bending: the bar sounds an octave too high.
  { method = "tet4", bending = { 1, 3, 5 } },
}

local exact = { 647.36, 1778.86, 3471.11 }

for _, way in ipairs(ways) do
  way.bar = sb.body(way.method, {
    shape    = sb.bar { length = 0.2, width = 0.02, thickness = 0.005, method = way.method, elements = 30 },
    material = sb.material("dry steel", { base = "steel", alpha = 12 }),
  })
end

local function cents(got, wanted) return 1200 * math.log(got / wanted, 2) end

function scene.start()
  print(("%-8s %12.2f Hz       %12.2f Hz       %12.2f Hz"):format("exact", table.unpack(exact)))
  sb.go(function()
    for _, way in ipairs(ways) do
      local modes, row = way.bar:modes(), {}
      for k, freq in ipairs(exact) do
        local got = modes[way.bending[k]].freq_hz
        row[k] = ("%12.2f %+7.1f c"):format(got, cents(got, freq))
      end
      print(("%-8s %s"):format(way.method, table.concat(row)))
      way.bar:strike { at = { u = 0.04, v = 0.3 }, speed = 1, mass = 0.02, hardness = 5e6 }
      sb.sleep(1.2)
    end
  end)
end
