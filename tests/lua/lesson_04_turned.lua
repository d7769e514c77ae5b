-- lesson: 04_damping
-- set: alpha=5.0
-- Doubling the loss of the lowest mode alone, by alpha.
local ok, text = sb.ask("only_lowest")
assert(ok, text)
assert(not sb.ask("wooden"))
print("done")
-- SPDX-License-Identifier: MIT
