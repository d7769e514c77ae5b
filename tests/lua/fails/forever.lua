-- Two limits end a load: 200 million instructions and 2000 ms. Which is
-- reached first depends on the processor.
-- fails: fails/forever.lua:6: more than 200
-- fails: without a pause: is there a loop without end?
local n = 0
while true do n = n + 1 end
