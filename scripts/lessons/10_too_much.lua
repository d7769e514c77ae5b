-- Lesson 10: too much sound. What can be left out, and what is lost.
--
--   sandbell lesson 10
local sb = require "sandbell"

sb.listener { position = { 0, 0.5, 0.5 }, facing = { 0, -0.5, -0.5 }, gain = 3 }

local merge = sb.param("merge", { min = 0, max = 10, default = 0 })                    -- just noticeable differences
local limit = sb.param("limit", { min = 1, max = 400, default = 400, curve = "log" })  -- modes at once

local function plate(name, x, closeness)
  return sb.body(name, {
    shape = sb.plate { width = 0.4, depth = 0.31, thickness = 0.002, max_hz = 12000, merge = closeness,
      theory = "kirchhoff" },
    material = "steel", position = { x, 0, 0 },
  })
end
local all = plate("all", -0.25, 0)
local few = plate("few", 0.25, merge())
sb.quality { modes = math.floor(limit()) }

local function strike(body) body:strike { at = { u = 0.12, v = 0.17 }, speed = 1, mass = 0.01, hardness = 5e6 } end
sb.action("all", function()
  print(string.format("all: %d modes", #all:modes()))
  strike(all)
end)
sb.action("few", function()
  print(string.format("few: %d modes", #few:modes()))
  strike(few)
end)
sb.action("both", function()
  sb.press("all")
  sb.sleep(2)
  sb.press("few")
end)

sb.question("half", function()
  local share = #few:modes() / #all:modes()
  if share <= 0.5 then return true, string.format("%d of %d modes are left.", #few:modes(), #all:modes()) end
  return false, string.format("%d of %d modes are left: more than half.", #few:modes(), #all:modes())
end)

sb.question("count", function(answer)
  if type(answer) ~= "number" then return false, "Type a whole number." end
  local gone = #all:modes() - #few:modes()
  if gone == 0 then return false, "Nothing is merged yet: turn merge up first." end
  if answer == gone then return true, "They were added to their neighbours, so no energy is lost." end
  return false, "The title of Modes says how many each body has: select all, then few, under Body."
end)

sb.question("truncate", function()
  local s = sb.stats()
  if #sb.strikes() == 0 then return false, "Press All modes, then Check at once." end
  if s.modes_wanted == 0 then return false, "Nothing rings. Press All modes, then Check at once." end
  if limit() >= 51 then return false, string.format("Up to %d modes are mixed at once.", math.floor(limit())) end
  if s.modes_mixed > 50 or s.modes_dropped < 1 then return false,
    string.format("%d modes ring, %d are mixed. Strike, and check while it rings.", s.modes_wanted, s.modes_mixed) end
  return true, string.format("%d modes ring, %d are mixed; what is left out is at %.0f dBFS.", s.modes_wanted,
    s.modes_mixed, s.dropped_db)
end, { strikes = { "hand", "all", "few" } })

function scene.start() sb.press("all") end
