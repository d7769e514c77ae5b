-- Coroutines that resume, close and wrap themselves and each other.
-- Phases: load, update, coroutine, reload.
local a, b
a = coroutine.create(function() while true do coroutine.resume(b) coroutine.yield() pcall(coroutine.close, a) end end)
b = coroutine.create(function() while true do coroutine.resume(a) pcall(coroutine.close, a) coroutine.yield() end end)
while true do coroutine.resume(a) coroutine.resume(b) end
