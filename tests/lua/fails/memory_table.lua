-- fails: fails/memory_table.lua: out of memory
local all = {}
while true do all[#all + 1] = { {}, {}, {}, {} } end
