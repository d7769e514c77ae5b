-- Lesson 7: from a mesh to its modes. One steel bar, found by four methods.
--
--   sandbell lesson 7
local sb = require "sandbell"

sb.listener { position = { 0, 0.4, 0.6 }, facing = { 0, -0.4, -0.6 }, gain = 60 }

local elements = sb.param("elements", { min = 4, max = 24, default = 10 }) -- along the bar

local bodies = {}
for i, method in ipairs { "analytic", "shell", "solid", "tet4" } do
  bodies[method] = sb.body(method, {
    shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005, method = method, max_hz = 8000,
      elements = method ~= "analytic" and math.floor(elements()) or nil, merge = 0 },
    material = "steel", position = { 0, 0, 0.06 * i - 0.15 },
  })
  sb.action(method, function()
    print(method)
    bodies[method]:strike { point = { -0.095, 0.01, 0.06 * i - 0.15 }, speed = 1, mass = 0.01, hardness = 1e6 }
  end)
end
sb.action("all", function()
  for _, method in ipairs { "analytic", "shell", "solid", "tet4" } do
    sb.press(method)
    sb.sleep(1)
  end
end)

local function error_percent(method)
  return 100 * (bodies[method]:modes()[1].freq_hz / bodies.analytic:modes()[1].freq_hz - 1)
end

sb.question("locking", function(answer)
  if type(answer) ~= "number" then return false, "Type a number of percent." end
  local is = error_percent("tet4")
  if math.abs(answer - is) <= 0.05 * is + 1 then return true,
    "Straight-sided tetrahedra cannot bend: they lock, and the bar seems much too stiff." end
  return false, "Compare the first rows of the two lists above: how many percent higher is tet4?"
end, { unit = "%" })

sb.question("refine", function()
  local is = error_percent("tet4")
  if is <= 150 then return true, string.format("Still %.0f %% too high with %d elements. Refinement helps slowly; " ..
    "better elements help at once.", is, math.floor(elements())) end
  return false, string.format("tet4 is %.0f %% too high now.", is)
end)

sb.question("better", function()
  local all = sb.strikes()
  local best, least
  for _, method in ipairs { "shell", "solid", "tet4" } do
    local size = math.abs(error_percent(method))
    if not least or size < least then best, least = method, size end
  end
  if #all == 0 or all[#all].body ~= bodies[best] then return false,
    "Compare the lowest modes of shell, solid and tet4 with the closed form, and strike the nearest." end
  return true, string.format("%s is within %.2f %%.", best, least)
end, { strikes = { "hand", "analytic", "shell", "solid", "tet4" } })

function scene.start() sb.press("analytic") end
