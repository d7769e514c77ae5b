-- table.unpack and select of millions.
-- Phases: load, update, coroutine, reload.
while true do
  pcall(table.unpack, {}, 1, 1e7)
  pcall(table.unpack, {}, 1, 99999)
  pcall(table.unpack, {}, math.mininteger, math.maxinteger)
  pcall(select, "#", table.unpack({}, 1, 90000))
end
