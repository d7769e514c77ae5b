-- Bodies that are created, sleep and are removed: what scene.contact gets.
-- seconds: 3.2
local sb = require "sandbell"
local check = require "modules.check"

check.raises("sb.body: body 'f': a floor is half of the world and cannot be free; it may be fixed or scripted",
  function() sb.body("f", { shape = sb.floor {}, motion = "free" }) end)

sb.listener { gain = 0.01 }
sb.world { rate = 500 }
sb.body("floor", { shape = sb.floor {}, material = "stone", restitution = 0 })
local box = sb.box { width = 0.04, height = 0.02, depth = 0.04 }
local function put(name, x)
  return sb.body(name, { shape = box, material = "oak", motion = "free", position = { x, 0.012, 0 }, restitution = 0 })
end
local sleeper, mover = put("sleeper", 0), put("mover", 1)
-- It never rests, so that the world goes on.
sb.body("wheel", { shape = sb.rigid { radius = 0.01 }, material = "steel", motion = "scripted", position = { 0, 5, 0 },
  spin = { 0, 0, 1 } })

-- Of each body: how many contacts last.
local last, heard = {}, 0
function scene.contact(c)
  heard = heard + 1
  for _, body in ipairs { c.a, c.b } do
    local name = body:name() -- it is there, whatever scene.update has done
    local change = c.kind == "rest" and 1 or c.kind == "end" and -1 or 0
    last[name] = (last[name] or 0) + change
  end
end

-- What falls is taken away at once, in the middle of its fall or as it lands.
local count, rain = 0, {}
function scene.update()
  if sb.now() > 1.5 then return end
  count = count + 1
  rain[#rain + 1] = sb.body("drop " .. count, { shape = sb.rigid { radius = 0.005 }, material = "glass", motion = "free",
    position = { 2 + 0.02 * (count % 10), 0.006, 0 }, velocity = { 0, -1, 0 } })
  if #rain > 3 then table.remove(rain, 1):remove() end
end

function scene.start()
  sb.after(1.9, function()
    for _, drop in ipairs(rain) do drop:remove() end
    assert(heard > 20)
    check.equal(sleeper:is_asleep(), true)
    check.equal(mover:is_asleep(), true)
    assert(last.sleeper >= 1, "what sleeps still lies there")
    assert(last.mover >= 1)
    mover:place { 1, 5, 0 }
  end)
  sb.after(2.1, function()
    check.equal(last.mover, 0)
    assert(last.sleeper >= 1)
    sleeper:push { 0, 0.2, 0 }
  end)
  sb.after(2.2, function()
    check.equal(last.sleeper, 0)
    print "done"
  end)
end
-- SPDX-License-Identifier: MIT
