-- fails: fails/memory_string.lua: out of memory
local text = "x"
while true do text = text .. text end
