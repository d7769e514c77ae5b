-- lesson: 07_from_a_mesh
-- set: elements=24
-- Refinement helps, slowly.
local function lowest(name) return sb.find(name):modes()[1].freq_hz end
local exact = lowest("analytic")
assert(lowest("tet4") > 2 * exact and lowest("tet4") < 2.6 * exact)
assert(math.abs(lowest("shell") / exact - 1) < 0.005)
assert(math.abs(lowest("solid") / exact - 1) < 0.002)
assert(sb.ask("refine"))
print("done")
-- SPDX-License-Identifier: MIT
