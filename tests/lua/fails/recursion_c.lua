-- fails: C stack overflow
local function down() return (("x"):gsub("x", down)) end
down()
