-- lesson: 07_from_a_mesh
-- seconds: 1
-- Claims of lesson 7: locking, refinement, better elements.
local function lowest(name) return sb.find(name):modes()[1].freq_hz end
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local exact = lowest("analytic")
assert(math.abs(exact / 647.098 - 1) < 1e-4)
assert(math.abs(lowest("solid") / exact - 1) < 0.01, "quadratic solids are within 1 % already")
assert(math.abs(lowest("shell") / exact - 1) < 0.03)
assert(lowest("tet4") > 3 * exact, "straight tetrahedra lock")
refused("locking") refused("locking", 10) refused("refine") refused("better")
assert(sb.ask("locking", 100 * (lowest("tet4") / exact - 1)))
sb.press("tet4")
sb.sleep(0.05)
refused("better")
sb.press("solid")
sb.sleep(0.05)
assert(sb.ask("better"))
print("done")
-- SPDX-License-Identifier: MIT
