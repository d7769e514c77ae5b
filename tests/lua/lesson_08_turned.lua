-- lesson: 08_numbers_that_lie
-- set: pitch=43000
-- At 48 kHz, 43 kHz sounds as 5 kHz, and Euler is silent.
local function first(name) return sb.find(name):modes()[1] end
assert(math.abs(first("naive").played_hz - 5000) < 1)
assert(not sb.find("exact") and not sb.find("euler"), "others leave it out")
sb.press("exact")
assert(sb.ask("alias") and not sb.ask("semitone"))
print("done")
