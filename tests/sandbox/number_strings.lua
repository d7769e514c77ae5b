-- Texts of megabytes read as numbers.
-- Phases: load, update, coroutine, reload.
local s = ("9"):rep(8000000)
while true do
  local _ = s + 1, tonumber(s), tonumber(s, 36), s | 0
end
