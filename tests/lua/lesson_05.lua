-- lesson: 05_shapes
-- seconds: 3
-- Claims of lesson 5: pairs of the square, nodal lines, superposition.
local plate = sb.find("plate")
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local index = {}
for k, mode in ipairs(plate:modes()) do index[mode.label] = k end
local modes = plate:modes()
-- f ~ m^2 + n^2: a pair, and ratios 1, 2.5, 4, 5.
assert(math.abs(modes[index["(2,1)"]].freq_hz - modes[index["(1,2)"]].freq_hz) < 1e-6)
assert(math.abs(modes[index["(2,2)"]].freq_hz / modes[1].freq_hz - 4) < 1e-3)
-- Shapes: (2 / sqrt(M)) sin(m pi u) sin(n pi v). A centre hit excites odd-odd only.
local at = plate:weights { at = { u = 0.5, v = 0.5 } }
assert(math.abs(at[index["(2,1)"]]) < 1e-6 * math.abs(at[1]))
assert(math.abs(at[index["(2,2)"]]) < 1e-6 * math.abs(at[1]))
assert(math.abs(math.abs(at[index["(1,3)"]]) / math.abs(at[1]) - 1) < 1e-3)
-- Off the centre as O'Brien struck: -0.861 and -0.620 of the largest.
at = plate:weights { at = { u = 0.75, v = 0.67 } }
local most = math.abs(plate:weights { at = { u = 0.5, v = 0.5 } }[1])
assert(math.abs(math.abs(at[index["(2,1)"]]) / most - 0.861) < 2e-3)
assert(math.abs(math.abs(at[index["(1,2)"]]) / most - 0.620) < 2e-3)
-- Superposition: a strike adds to what rings, mode by mode.
refused("split") refused("beats", 3)
plate:strike { at = { u = 0.5, v = 0.5 }, speed = 0.5, hardness = 5e5, mass = 0.01 }
refused("one_of_pair")
plate:strike { at = { u = 0.25, v = 0.5 }, speed = 0.5, hardness = 5e5, mass = 0.01 }
refused("one_of_pair")
plate:strike { at = { u = 0.5, v = 0.25 }, speed = 0.5, hardness = 5e5, mass = 0.01 }
assert(sb.ask("one_of_pair"))
plate:strike { at = { u = 0.25, v = 0.25 }, speed = 0.5, hardness = 5e5, mass = 0.01 }
refused("one_of_pair")
print("done")
-- SPDX-License-Identifier: MIT
