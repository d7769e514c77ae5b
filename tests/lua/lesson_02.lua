-- lesson: 02_ratios
-- seconds: 3
-- Claims of lesson 2: equal fundamentals, and the ratios of each family.
local function ratios(name, wanted, labels)
  local first
  local list = {}
  for _, mode in ipairs(sb.find(name):modes()) do
    if mode.label:match(labels or "") then
      first = first or mode.freq_hz
      list[#list + 1] = mode.freq_hz / first
    end
  end
  assert(math.abs(1200 * math.log(first / 220, 2)) < 0.1, name .. " " .. first)
  for i, r in ipairs(wanted) do
    assert(math.abs(list[i] / r - 1) < (name == "string" and 5e-3 or 2e-3), string.format("%s %d: %.4f, not %.4f", name, i, list[i], r))
  end
end
ratios("string", { 1, 2, 3, 4 }, "^transverse")
ratios("bar", { 1, 2.75654, 5.40392, 8.93295 }, "^flexural")
ratios("skin", { 1, 1.59334, 1.59334, 2.13555, 2.13555, 2.29542 })
ratios("plate", { 1, 2.5, 2.5, 4, 5, 5 })

local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
refused("ratio") refused("ratio", 2) refused("harmonic") refused("imitate")
assert(sb.ask("ratio", 2.757))
sb.press("string") sb.press("string") sb.press("bar")
sb.sleep(0.1)
refused("harmonic")
sb.press("string") sb.press("string") sb.press("string")
sb.sleep(0.1)
assert(sb.ask("harmonic"))
print("done")
-- SPDX-License-Identifier: MIT
