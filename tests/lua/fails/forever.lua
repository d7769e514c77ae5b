-- fails: fails/forever.lua:3: more than 200 million instructions without a pause: is there a loop without end?
local n = 0
while true do n = n + 1 end
