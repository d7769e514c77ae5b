-- fails: fails/memory_start.lua:2: string.rep: the result would be longer than 8 MB
function scene.start() return ("x"):rep(1 << 30) end
