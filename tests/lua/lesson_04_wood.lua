-- lesson: 04_damping
-- seconds: 2
-- says: wood: the same bar with the losses of wood
-- The button Wood loads the scene with other losses; the frequencies stay.
assert(sb.params.alpha == 0.5)
sb.press("wood")
print("done")
-- SPDX-License-Identifier: MIT
