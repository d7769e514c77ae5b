-- The tones of a tuned bell that bend its rim: with 4, 5, ... 9 nodal lines.
local sb = require "sandbell"
local bell = require "lib.bell"

local body = sb.body("bell", {
  shape = sb.revolve { profile = bell.profile(0.702, 0.566), max_hz = 8000 }, material = "bronze",
})

truth = {
  object = "tuned church bell, rim partials",
  source = "Fletcher & Rossing, The Physics of Musical Instruments",
  names = { "4 lines", "5", "6", "7", "8", "9" },
  measured = { 2, 3.011, 4.166, 5.433, 6.796, 8.215 }, ratio = true,
  bound = 3,
  miss = "our profile, of no bell in particular: its rim is too short and too thin",
  computed = function()
    local out = {}
    for lines = 4, 9 do out[#out + 1] = bell.tone(body, lines, 1) end
    return out
  end,
}
