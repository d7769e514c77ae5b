-- Long strings joined in one instruction, a hundred at a time.
-- Phases: load, update, coroutine, reload.
local s = ("x"):rep(70000)
while true do local t = s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s end
