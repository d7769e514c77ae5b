-- string.pack with gigabytes of padding.
-- Phases: load, update, coroutine, reload.
while true do
  pcall(string.pack, "c2000000000", "")
  pcall(string.pack, ("c99999"):rep(160), table.unpack({ "" }, 1, 160))
  pcall(string.packsize, ("c2147483647"):rep(2))
  pcall(string.unpack, ("!16 i16 Xi16 "):rep(1000000), "")
end
