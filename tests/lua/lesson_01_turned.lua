-- lesson: 01_one_mode
-- set: freq=880
-- set: T60=1
-- The questions of lesson 1 that need a slider.
assert(sb.ask("octave"))
local ok, text = sb.ask("shorter")
assert(not ok and text:find("440 Hz"))
assert(sb.ask("twenty", 1 / 3))
print("done")
-- SPDX-License-Identifier: MIT
