-- A tuning fork from a mesh, A4. Its prongs swing against each other, so the
-- stem hardly moves, and the pitch is the same whether the stem is held or
-- free. In modes where both prongs move in the same direction the stem moves,
-- too, so a hand changes them.
--
--   sandbell run scripts/tuning_fork.lua
local sb = require "sandbell"

sb.listener { position = { 0, 0.2, 0.4 }, facing = { 0, -0.2, -0.4 }, gain = 500 }

local FORK = "models/tuning_fork.obj"

-- True where the fork is held: its stem, the lowest 40 mm. `p` is in metres.
local function in_the_hand(p) return p.y < -0.03 end

local forks = {
  sb.body("free", { shape = sb.mesh(FORK), material = "steel", position = { -0.1, 0, 0 } }),
  sb.body("held", { shape = sb.mesh(FORK, { clamp = in_the_hand }), material = "steel", position = { 0.1, 0, 0 } }),
}

local function cents(freq, from) return 1200 * math.log(freq / from, 2) end

-- The mode nearest to A4: a held fork has other modes below it.
local function tone(fork)
  local best
  for _, mode in ipairs(fork:modes()) do
    if not best or math.abs(cents(mode.freq_hz, 440)) < math.abs(cents(best, 440)) then best = mode.freq_hz end
  end
  return best
end

function scene.start()
  sb.go(function()
    for _, fork in ipairs(forks) do
      local list = {}
      for i = 1, 5 do list[i] = ("%.0f"):format(fork:modes()[i].freq_hz) end
      local off = cents(tone(fork), 440)
      print(("%s: A4 %+.1f cents; modes at %s Hz"):format(fork:name(), off, table.concat(list, ", ")))
      -- On the outer side of a prong, near its end.
      local x = fork:name() == "free" and -0.1 or 0.1
      fork:strike { point = { x + 0.01, 0.055, 0 }, direction = { -1, 0, 0 }, speed = 1, mass = 0.02, hardness = 1e5 }
      sb.sleep(3)
    end
  end)
end
