-- lesson: 05_shapes
-- set: aspect=1.0693
-- A plate that is not square: its pair is split, by the closed form.
local modes, index = sb.find("plate"):modes(), {}
for k, mode in ipairs(modes) do index[mode.label] = k end
local low, high = modes[index["(2,1)"]].freq_hz, modes[index["(1,2)"]].freq_hz
local a = sb.params.aspect
assert(math.abs(high / low - (1 / a ^ 2 + 4) / (4 / a ^ 2 + 1)) < 1e-4)
local ok, text = sb.ask("split")
assert(ok, text)
assert(sb.ask("beats", high - low) and not sb.ask("beats", 2 * (high - low)))
print("done")
-- SPDX-License-Identifier: MIT
