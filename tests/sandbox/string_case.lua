-- upper, lower, reverse, byte and utf8 of long strings.
-- Phases: load, update, coroutine, reload.
local s = ("a"):rep(8000000)
while true do
  s:upper() s:lower() s:reverse()
  pcall(s.byte, s, 1, -1)
  pcall(utf8.len, s)
  pcall(utf8.codepoint, s, 1, -1)
  pcall(utf8.offset, s, 7000000)
end
