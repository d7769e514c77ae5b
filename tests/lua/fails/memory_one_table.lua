-- fails: fails/memory_one_table.lua: out of memory: a table may have 32 MB
local t = {}
for i = 1, 1e9 do t[i] = i end
