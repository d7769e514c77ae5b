-- A file outside, through every function that may take a path.
-- Phases: load, update, coroutine, reload.
for name, library in pairs { io = io, os = os, debug = debug, package = package } do
  if library then print("escaped: " .. name) end
end
for _, name in ipairs { "dofile", "loadfile", "collectgarbage", "getfenv", "setfenv", "module" } do
  if _G[name] then print("escaped: " .. name) end
end
local sb = require "sandbell"
for _, name in ipairs { "mesh", "texture", "weights", "sound", "file", "image" } do
  local is_there, f = pcall(function() return sb[name] end)
  if is_there then
    for _, path in ipairs { "/etc/passwd", "../secret.lua", "outside/secret.lua", "/dev/zero" } do
      local is_well, value = pcall(f, path)
      if is_well and value then print("escaped: " .. name .. " " .. path) end
    end
  end
end
