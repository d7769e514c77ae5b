-- lesson: 08_numbers_that_lie
-- set: pitch=43000
-- At 48 kHz, 43 kHz sounds as 5 kHz, and Euler is silent.
local function first(name) return sb.find(name):modes()[1] end
assert(math.abs(first("naive").played_hz - 5000) < 1)
sb.sleep(0.05)
local before = #sb.strikes()
sb.press("exact") sb.press("bilinear")
sb.sleep(0.05)
assert(#sb.strikes() == before, "others leave it out")
assert(sb.ask("alias") and not sb.ask("semitone"))
print("done")
-- SPDX-License-Identifier: MIT
