-- Nested stars: (.*)*-like, of degree 20.
-- Phases: load, update, coroutine, reload.
local s = ("a"):rep(5000)
print(#(s:match(("(.*)"):rep(20) .. "x") or ""))
