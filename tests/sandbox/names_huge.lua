-- Names of megabytes, and thousands of wrong fields.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
local name = ("n"):rep(8000000)
local fields = {}
for i = 1, 100000 do fields["f" .. i] = i end
while true do
  pcall(sb.body, name, { shape = sb.rigid() })
  pcall(sb.body, "x", fields)
  pcall(sb.body, "x", { [name] = 1 })
  pcall(sb.param, name, {})
  pcall(sb.material, name, fields)
  pcall(function() return sb[name] end)
end
