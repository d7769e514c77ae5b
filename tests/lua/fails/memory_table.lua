-- fails: fails/memory_table.lua: out of memory: a scene has 256 MB of Lua; --trust removes the limit
local all = {}
while true do all[#all + 1] = { {}, {}, {}, {} } end
