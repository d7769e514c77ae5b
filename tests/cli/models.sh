#!/bin/sh
# SPDX-License-Identifier: MIT
# models/*.obj and *.msh are what models/generate.lua writes, byte for byte and complete;
# a mesh with a defect is refused.
. "$(dirname "$0")/lib.sh"

SANDBELL_MODELS_DIR=$work/here
export SANDBELL_MODELS_DIR
expect 0 check --trust "$root/models/generate.lua"
count=0
for made in *; do
    count=$((count + 1))
    same "$made" "$root/models/$made"
    holds grep -qF "| \`$made\` |" "$root/models/CREDITS.md"
done
equal "$(ls "$root"/models/*.obj "$root"/models/*.msh | wc -l)" "$count" 'models in the repository'
between "$count" 12 99 'models'

# A second time over the first: the same files, nothing beside them.
expect 0 check --trust "$root/models/generate.lua"
equal "$(ls -A | wc -l)" "$count" 'files after the second time'

# A folder without write permission is an error.
SANDBELL_MODELS_DIR=$work/here/nowhere
expect 1 check --trust "$root/models/generate.lua"
says err 'nowhere/'
rm -f ./*.obj ./*.msh
nothing_left

# The ring, spoilt in one place: the error must name the defect.
cp -R "$root/models/lib" "$work/lib"
cat >"$work/spoil.lua" <<'END'
local function ring()
  local mesh = require("lib.solids")[4]()
  assert(mesh.name == "ring")
  mesh:settle()
  return mesh
end

local function each_corner(mesh, change)
  for _, face in ipairs(mesh.faces) do
    for i = 1, 3 do change(face[i]) end
  end
end

local function turn(face) face[1], face[2] = face[2], face[1] end

local cases = {
  ["3 edges of a closed surface have one face"] = function(mesh) table.remove(mesh.faces) end,
  ["share an edge and a direction"] = function(mesh) turn(mesh.faces[7]) end,
  ["inside out"] = function(mesh) for _, face in ipairs(mesh.faces) do turn(face) end end,
  ["is degenerate"] = function(mesh) mesh.vertices[5] = mesh.vertices[6] end,
  ["has no face"] = function(mesh) table.insert(mesh.vertices, { 0, 0, 0 }) end,
  ["leaves the texture"] = function(mesh) mesh.uvs[9][1] = 1.5 end,
  ["are several fans"] = function(mesh) -- the last vertex and another in one
    local last = #mesh.vertices
    table.remove(mesh.vertices)
    each_corner(mesh, function(corner) if corner.vertex == last then corner.vertex = 90 end end)
  end,
}
ring():check()
for wanted, spoil in pairs(cases) do
  local mesh = ring()
  spoil(mesh)
  local is_ok, message = pcall(mesh.check, mesh)
  if is_ok then error("not noticed: " .. wanted) end
  if not message:find(wanted, 1, true) then error(wanted .. ", but told: " .. message) end
end
print "all noticed"
END
expect 0 check --trust "$work/spoil.lua"
says err 'all noticed'

if command -v luacheck >/dev/null; then
    holds luacheck --quiet --config "$root/.luacheckrc" "$root"/models/*.lua "$root"/models/lib/*.lua
else
    echo "$name: luacheck is not installed: style is not checked"
fi
finish
