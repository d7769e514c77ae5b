-- seconds: 1
-- says: done
-- In a render a reload takes no scene time, however long it computes: the new
-- script runs from the step after the request.
local sb = require "sandbell"

sb.body("bar", { shape = sb.bar { length = 0.3, width = 0.03, thickness = 0.01 }, material = "steel" })

state.loads = (state.loads or 0) + 1

local function again()
  sb.after(0.1, function()
    state.asked = sb.now()
    sb.reload()
  end)
end

function scene.start() again() end

function scene.reload()
  local took = sb.now() - state.asked
  assert(took >= 0 and took < 0.011, "the reload took " .. took .. " s of scene time")
  if state.loads == 6 then print("done") else again() end
end
-- SPDX-License-Identifier: MIT
