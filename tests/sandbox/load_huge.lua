-- Megabytes of source through load.
-- Phases: load, update, coroutine, reload.
local s = ("local a = { 1, 2, 'x' .. 3 } "):rep(150) .. "\n"
local code = {}
for i = 1, 1500 do code[i] = "do " .. s .. " end" end
code = table.concat(code)
while true do load(code) end
