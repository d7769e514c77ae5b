-- .- from every place of a long string.
-- Phases: load, update, coroutine, reload.
local s = ("ab"):rep(200000)
while true do s:match "(.-)(.-)%1%2c" end
