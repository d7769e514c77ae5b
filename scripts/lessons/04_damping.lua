-- Lesson 4: damping makes material. One bar; only its losses change.
--
--   sandbell lesson 4
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 20 }

local alpha = sb.param("alpha", { min = 0.1, max = 100, default = 0.5, curve = "log" })    -- 1/s
local beta = sb.param("beta", { min = 1e-8, max = 1e-5, default = 1.5e-6, curve = "log" }) -- s

local bar = sb.body("bar", {
  -- Without what the air takes (lesson 11).
  shape = sb.bar { length = 0.45, width = 0.03, thickness = 0.01, radiation = "quick" },
  material = sb.material("lossy steel", { base = "steel", alpha = alpha(), beta = beta() }),
})

local function strike() bar:strike { at = { u = 0.02, v = 0.5 }, speed = 1, mass = 0.02, hardness = 3e6 } end
sb.action("strike", strike)

-- Other values describe another scene, so it is loaded again, and then struck.
for name, losses in pairs { steel = { 5, 3e-8 }, glass = { 1, 1e-7 }, wood = { 60, 2e-6 }, first = { 0.5, 1.5e-6 } } do
  sb.action(name, function()
    alpha:set(losses[1])
    beta:set(losses[2])
    state.says = name
    sb.reload()
  end)
end
function scene.reload()
  if state.says then
    print(state.says .. ": the same bar with the losses of " .. state.says)
    strike()
  end
  state.says = nil
end

-- T60 of the first flexural modes, and what they were at the start.
local function times()
  local list = {}
  for _, mode in ipairs(bar:modes()) do
    if mode.label:match("^flexural") then
      local square = (2 * math.pi * mode.freq_hz) ^ 2
      list[#list + 1] = { now = mode.t60_s, first = 2 * math.log(1000) / (0.5 + 1.5e-6 * square) }
    end
  end
  return list
end

sb.question("only_lowest", function()
  local t = times()
  local share = t[1].now / t[1].first
  if math.abs(share - 0.5) > 0.05 then
    return false, string.format("T60 of the lowest mode is %.2f of what it was at the start.", share)
  end
  for i = 2, #t do
    local other = t[i].now / t[i].first
    if other < 0.75 or other > 1.25 then
      return false, string.format("Flexural mode %d has changed, too: to %.2f of what it was.", i, other)
    end
  end
  return true, "alpha damps all modes by the same amount per second. High modes, which beta damps strongly, hardly " ..
    "notice."
end)

sb.question("wooden", function()
  local t = times()
  if alpha() == 60 and beta() == 2e-6 then return false, "Those are the button's losses. Turn the sliders." end
  if t[1].now > 0.3 then return false, string.format("The lowest mode rings for %.2f s; wood takes less than 0.3 s.",
    t[1].now) end
  if t[3].now > 0.5 * t[1].now then return false, "The higher modes must be gone much sooner than the lowest." end
  return true, "Short, and the highs first: the ear says wood, though every frequency is that of steel."
end)

sb.question("least", function(answer)
  if type(answer) ~= "number" then return false, "Type a frequency in Hz." end
  local hz = math.sqrt(alpha() / beta()) / (2 * math.pi)
  if math.abs(answer / hz - 1) < 0.03 then return true, "There alpha and beta contribute equally." end
  return false, "Set the derivative of zeta to zero: w = sqrt(alpha / beta). Then divide by 2 pi."
end, { unit = "Hz" })

function scene.start() strike() end
