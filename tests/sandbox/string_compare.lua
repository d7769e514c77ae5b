-- Long strings compared, joined and added: milliseconds per instruction.
-- Phases: load, update, coroutine, reload.
local a, b = ("1"):rep(7000000) .. "1", ("1"):rep(7000000) .. "2"
local n = 0
while true do
  if a == b then n = n + 1 end
  if a < b then n = n + 1 end
  n = (a + 0 > 0) and n + 1 or n
end
