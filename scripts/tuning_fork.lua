-- A tuning fork from a mesh, A4. Its prongs swing against each other, so in the
-- stem almost nothing moves: hold it or not, the pitch stays. That is why one
-- can hold a fork at all. The other modes are not so lucky: where the prongs go
-- the same way, the stem has to go along.
local sb = require "sandbell"

sb.listener { position = { 0, 0.2, 0.4 }, facing = { 0, -0.2, -0.4 }, gain = 500 }

local FORK = "models/tuning_fork.obj"

-- The stem is the lowest 40 mm; what is true is held. `p` is in metres, y up.
local function in_the_hand(p) return p.y < -0.03 end

local forks = {
  sb.body("free", { shape = sb.mesh(FORK), material = "steel", position = { -0.1, 0, 0 } }),
  sb.body("held", { shape = sb.mesh(FORK, { clamp = in_the_hand }), material = "steel", position = { 0.1, 0, 0 } }),
}

local function cents(freq, from) return 1200 * math.log(freq / from, 2) end

-- The mode nearest to A4: held, the fork has others below it.
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
      -- On a prong's outer side, near its end.
      local x = fork:name() == "free" and -0.1 or 0.1
      fork:strike { point = { x + 0.01, 0.055, 0 }, direction = { -1, 0, 0 }, speed = 1, mass = 0.02, hardness = 1e5 }
      sb.sleep(3)
    end
  end)
end
