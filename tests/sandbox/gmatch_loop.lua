-- gmatch of everything, nested.
-- Phases: load, update, coroutine, reload.
local s = ("a b "):rep(100000)
for a in s:gmatch "%w*" do for b in s:gmatch "%s*" do local _ = a .. b end end
