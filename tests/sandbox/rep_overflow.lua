-- string.rep with lengths that overflow.
-- Phases: load, update, coroutine, reload.
for _, n in ipairs { math.maxinteger, 1 << 62, 1 << 33, 2^53 // 1 | 0 } do
  pcall(string.rep, "abc", n)
  pcall(string.rep, "", n)
  pcall(string.rep, "abc", n, ("x"):rep(1000))
end
while true do string.rep("", math.maxinteger) end
