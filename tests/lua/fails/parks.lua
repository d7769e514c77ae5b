-- A callback that fails is reported once and parked; the rest goes on.
-- parks
-- says: fails/parks.lua:11: start is broken
-- says: fails/parks.lua:16: update is broken
-- says: fails/parks.lua:19: the coroutine is broken
-- says: fails/parks.lua:22: the timer is broken
local sb = require "sandbell"
local updates, ticks = 0, 0

function scene.start()
  error "start is broken"
end

function scene.update()
  updates = updates + 1
  error "update is broken"
end
sb.go(function()
  error "the coroutine is broken"
end)
sb.every(0.1, function()
  error "the timer is broken"
end)
sb.every(0.1, function() ticks = ticks + 1 end)
sb.after(0.95, function()
  assert(updates == 1, "parked")
  assert(ticks == 9, "goes on")
  print "done"
end)
