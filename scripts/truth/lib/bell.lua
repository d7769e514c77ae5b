-- The profile of our church bell: half its width at the mouth is 1, and so is the
-- height of its shoulder. It was drawn for scripts/turned.lua, after no bell in
-- particular. tones(body) gives what founders tune.
local bell = {}

local points = { -- r / mouth, y / height, t / mouth
  { 0, 1.000, 0.0682 }, { 0.364, 0.970, 0.0682 }, { 0.523, 0.848, 0.0568 }, { 0.580, 0.606, 0.0568 },
  { 0.659, 0.364, 0.0682 }, { 0.818, 0.152, 0.1023 }, { 1.000, 0.000, 0.1250 },
}

function bell.profile(diameter, height)
  local out = {}
  for i, p in ipairs(points) do
    out[i] = { p[1] * diameter / 2, p[2] * height, p[3] * diameter / 2 }
  end
  return out
end

-- The lowest tone with so many nodal lines round the bell, or the second lowest.
function bell.tone(body, lines, nth)
  for _, mode in ipairs(body:modes()) do
    if mode.label:match("^%(" .. lines .. ",.*cos$") then
      nth = nth - 1
      if nth == 0 then return mode.freq_hz end
    end
  end
end

return bell
