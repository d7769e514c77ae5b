-- lesson: 03_where_you_strike
-- seconds: 9
-- Claims of lesson 3, as the audio thread measures the modes.
local bar = sb.find("bar")
local function refused(name, answer) local ok, text = sb.ask(name, answer) assert(not ok, name .. ": " .. text) end
local function db(a, b) return 10 * math.log(a / b, 10) end
local modes = {}
for k, mode in ipairs(bar:modes()) do
  if mode.label:match("^flexural") then modes[#modes + 1] = k end
end
local quiet = bar:touch { kind = "hand", at = { u = 0.07, v = 0.5 } }
bar:energies()
-- Strike a bar at rest, and read the flexural modes.
local function strike(u)
  quiet:set { damping = 400, radius = 0.3 }
  sb.sleep(1)
  quiet:set { damping = 0 }
  sb.sleep(0.05)
  bar:strike { at = { u = u, v = 0.5 }, speed = 1, mass = 0.02, hardness = 1e7 }
  sb.sleep(0.1)
  local e, list = bar:energies(), {}
  for i, k in ipairs(modes) do list[i] = e[k] end
  return list
end

-- At the centre every second mode is 40 dB down.
local e = strike(0.5)
assert(db(e[1], e[2]) > 40 and db(e[3], e[4]) > 40, "dB: " .. db(e[1], e[2]))
refused("node") refused("silent_second")
-- At 0.132, too, but not mode 4.
e = strike(0.1321)
assert(db(e[1], e[2]) > 20 and db(e[1], e[4]) < 20, "dB: " .. db(e[1], e[2]))
assert(sb.ask("silent_second"))
-- At 0.224 the first is 20 dB down, and the second rings.
e = strike(0.2242)
assert(db(e[2], e[1]) > 20, "dB: " .. db(e[2], e[1]))
refused("silent_second")
assert(sb.ask("node"))
refused("all_four")
-- At the end all of them ring.
e = strike(0.02)
for i = 1, 4 do assert(db(e[1], e[i]) < 20, "mode " .. i) end
assert(sb.ask("all_four"))
refused("silent_second") refused("node")
-- Reciprocity: the energy of a mode goes with the square of its shape there.
local at, ends = bar:weights { at = { u = 0.3, v = 0.5 } }, bar:weights { at = { u = 0, v = 0.5 } }
assert(math.abs(at[1] / ends[1]) < 0.4)
-- Nodes of the free bar.
for n, u in ipairs { 0.224158, 0.132108, 0.094443, 0.073453 } do
  local w = bar:weights { at = { u = u, v = 0.5 } }
  assert(math.abs(w[modes[n]] / ends[modes[n]]) < 0.08, "node of mode " .. n)
end
print("done")
-- SPDX-License-Identifier: MIT
