-- lesson: 08_numbers_that_lie
-- set: pitch=6530
-- The trapezoidal rule is a semitone flat at some 6.5 kHz.
local ok, text = sb.ask("semitone")
assert(ok, text)
assert(not sb.ask("alias"))
print("done")
-- SPDX-License-Identifier: MIT
