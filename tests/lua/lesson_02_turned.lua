-- lesson: 02_ratios
-- set: second=2.75
-- set: third=5.4
-- The bar's ratios on three plain modes.
sb.sleep(0.1)
local ok, text = sb.ask("imitate")
assert(not ok and text:find("Strike my tone"))
sb.press("own")
sb.sleep(0.1)
assert(sb.ask("imitate"))
print("done")
-- SPDX-License-Identifier: MIT
