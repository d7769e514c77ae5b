-- lesson: 10_too_much
-- seconds: 1
-- Claims of lesson 10, with everything on.
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
assert(#sb.find("all"):modes() == #sb.find("few"):modes())
sb.press("all")
sb.sleep(0.1)
refused("half") refused("count", 7) refused("count", 0) refused("truncate")
assert(sb.stats().modes_dropped <= 0)
print("done")
-- SPDX-License-Identifier: MIT
