-- Writes the models of this folder. Each is the same to the byte every time.
--
--   sandbell check --trust models/generate.lua
--   lua5.4 models/generate.lua [directory]
--
-- They go to the directory named by the environment's SANDBELL_MODELS_DIR, or
-- beside this script. CREDITS.md says what they are.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."
package.path = here .. "/?.lua;" .. package.path -- for plain Lua

local directory = os.getenv "SANDBELL_MODELS_DIR" or (arg and arg[1]) or here

local models = {}
for _, group in ipairs { "vessels", "solids", "sheets", "volumes" } do
  for _, make in ipairs(require("lib." .. group)) do models[#models + 1] = make() end
end

-- All are sound before any is written.
local figures = {}
for i, mesh in ipairs(models) do
  mesh:settle()
  figures[i] = mesh:check()
end
for i, mesh in ipairs(models) do
  local bytes, f = mesh:write(directory), figures[i]
  if f.tets then
    print(string.format("%-14s tetrahedra %d vertices %d tetrahedra, %.7f m3, %d bytes",
      mesh.name, f.vertices, f.tets, f.volume, bytes))
  else
    print(string.format(
      "%-14s %s %5d vertices %5d faces, Euler %d, border %3d, %7.5f m2, worst triangle %.2f, %6d bytes",
      mesh.name, mesh.kind, f.vertices, f.faces, f.euler, f.border, f.area, f.quality, bytes))
  end
end
-- SPDX-License-Identifier: MIT
