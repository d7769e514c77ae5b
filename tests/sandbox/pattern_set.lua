-- A set of thousands of characters, tried at every place.
-- Phases: load, update, coroutine, reload.
local set = "[" .. ("abcdefgh"):rep(20000) .. "]"
local s = ("z"):rep(1000000)
while true do s:find(set) end
