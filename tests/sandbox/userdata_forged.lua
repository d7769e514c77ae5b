-- Forge Sandbell's handles.
-- Phases: load, update, coroutine, reload.
local sb = require "sandbell"
local shape = sb.modes { { 440, 1 } }
if type(getmetatable(shape)) == "table" then print "escaped" end
if pcall(setmetatable, {}, getmetatable(shape)) then print "escaped" end
if pcall(setmetatable, shape, {}) then print "escaped" end
local fake = setmetatable({}, { __name = "sandbell.Body", __index = shape })
for _, f in ipairs { sb.body, sb.go, sb.listener, sb.param, sb.material } do
  pcall(f, fake, fake)
  pcall(f, "x", { shape = fake })
end
