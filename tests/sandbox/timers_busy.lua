-- Many timers that each take nearly all the time they have.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
for _ = 1, 100 do
  sb.after(0, function() for i = 1, 300000 do local _ = { i } end end)
end
