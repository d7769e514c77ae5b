#!/bin/sh
# SPDX-License-Identifier: MIT
# Meshes on the command line: places without texture coordinates, stored modes,
# baking; folders of scenes; warnings of probable mistakes.
. "$(dirname "$0")/lib.sh"

models=$root/models
octahedron=$work/octahedron.obj
cat >"$octahedron" <<'END'
v 0.05 0 0
v -0.05 0 0
v 0 0.05 0
v 0 -0.05 0
v 0 0 0.05
v 0 0 -0.05
f 1 3 5
f 3 2 5
f 2 4 5
f 4 1 5
f 3 1 6
f 2 3 6
f 4 2 6
f 1 4 6
END

# --- a place on a mesh without texture coordinates
plastic="--material rubber --modes 3 --elements 4"
expect 2 modes "$octahedron" $plastic --at 0.5,0.5
says err 'octahedron has no texture coordinates, so --at has no meaning: give a place with --point X,Y,Z (m)'
expect 0 modes "$octahedron" $plastic --point 0,0.05,0
says out weight
expect 2 modes "$octahedron" $plastic --point 0,0.05
says err "--point needs X,Y,Z in metres, got '0,0.05'"
expect 2 modes "$octahedron" $plastic --point 0,0.05,0 --at 0.5,0.5
says err '--at and --point are two ways to give one place'
# The same place by both: the middle of a plate.
plate="$models/plate.obj --material steel --thickness 0.003 --modes 3 --json"
expect 0 modes $plate --at 0.5,0.5
by_uv=$(json bodies 0 modes 2 weight)
expect 0 modes $plate --point 0,0,0
by_point=$(json bodies 0 modes 2 weight)
between "$(awk "BEGIN { print ($by_uv) * ($by_uv) - ($by_point) * ($by_point) }")" -1e-6 1e-6 'weights by --at and --point'

# --- stored modes need no material
expect 0 modes "$models/plate.obj" --material glass --thickness 0.003 --modes 3 --export stored.gltf --json
freq=$(json bodies 0 modes 0 freq_hz)
expect 0 modes stored.gltf --given --json
between "$(json bodies 0 modes 0 freq_hz)" "$(awk "BEGIN { print 0.99999 * $freq }")" \
    "$(awk "BEGIN { print 1.00001 * $freq }")" 'the stored mode'
equal "$(json bodies 0 dof)" null 'unknowns of a solve elsewhere'
expect 0 modes stored.gltf --given --material steel
says_not out ' dof'
says_not out 'solved in'
expect 2 modes stored.gltf
says err '--material is needed'

# --- --no-merge
expect 0 modes "$models/bowl.obj" --material bronze --thickness 0.003 --modes 8 --no-merge
says_not out 'merged into others'

# --- bake MESH
expect 0 bake "$models/bowl.obj" --material bronze --thickness 0.003 --modes 2 --size 32 -o bowl_%d.png
says out 'bowl: '
holds test -f bowl_1.png
expect 3 bake "$octahedron" --material rubber --modes 3 -o o_%d.png
says err 'octahedron.obj has no texture coordinates; this gives it some:'
expect 0 bake --unwrap "$octahedron" -o unwrapped.obj
expect 0 bake unwrapped.obj --material rubber --modes 3 --size 32 -o o_%d.png
holds test -f o_1.png
expect 2 bake "$models/bowl.obj" --thickness 0.003 -o b_%d.png
says err '--material is needed'
put_scene 0.2 "$work/bell.lua"
expect 2 bake "$work/bell.lua" --material steel -o b_%d.png
says err 'are for meshes; a scene says these itself'

# --- warnings
cat >"$work/wrong.lua" <<'END'
local sb = require "sandbell"
local function box(name, y, more)
  local def = { shape = sb.box { width = 0.1, height = 0.02, depth = 0.1 }, material = "oak", position = { 0, y, 0 } }
  for key, value in pairs(more or {}) do def[key] = value end
  return sb.body(name, def)
end
box("table", 0)
box("sunken", 0.013, { motion = "free" }) -- 7 mm deep
box("resting", 0.033, { motion = "free" }) -- touches the one below
sb.body("given", { shape = sb.modes { { 440, 1 }, { 24500, 1 } } })
sb.body("high", { shape = sb.modes { { 440, 1 }, { 22500, 1 }, { 23999, 1 } } })
sb.body("huge", { shape = sb.bar { length = 20, width = 2, thickness = 0.5 }, material = "steel", position = { 0, 300, 0 } })
local cup = sb.mesh("models/cup.obj", { thickness = 0.003, modes = 4 })
sb.body("cup", { shape = cup, material = "glass", position = { 1, 0, 0 }, collider = "hull" })
sb.body("standing", { shape = cup, material = "glass", position = { 3, 0, 0 } })
sb.body("tossed", { shape = cup, material = "glass", position = { 5, 9, 0 }, motion = "free" })
sb.body("sheet", { shape = sb.mesh("models/plate.obj", { thickness = 0.002, modes = 4 }), material = "steel", position = { 7, 9, 0 }, motion = "free" })
sb.body("marble", { shape = sb.sphere { radius = 0.005 }, material = "glass", motion = "free", position = { 1, 0.03, 0 } })
function scene.start() sb.find("given"):strike { impulse = 0.01 } end
END
expect 0 check "$work/wrong.lua" --for 0.05
says err "warning: 'sunken' (box) begins 7 mm inside 'table' (box)"
says_not err "'resting'"
says err "warning: 1 of the 2 modes given for 'given' is not below 24000 Hz"
says err "warning: 2 of the 3 modes given for 'high' are above 22000 Hz and are left out"
says err "warning: 'huge' is a bar of 20 m; lengths are in metres (millimetres?)"
says err "warning: 'tossed' is a free open mesh, and collides as its convex hull"
says err "warning: 'sheet' is a flat open mesh, and collides as a sheet"
says_not err "'cup' is"
says_not err "'standing'"
says err "warning: 'marble' (sphere) begins"
expect 0 render "$work/wrong.lua" -o wrong.wav --duration 0.1
says err "'sunken' (box) begins 7 mm inside 'table' (box)"

# --- too small to sound, or too large: millimetres?
for shape in 'bar { length = 0.0008, width = 0.0002, thickness = 0.0001 }' \
    'disk { radius = 0.0004, thickness = 0.0001 }' 'tube { length = 0.0009, radius = 0.0002, thickness = 0.00005 }' \
    'hollow { width = 60, height = 60, depth = 60, thickness = 0.02, modes = 4 }'; do
    cat >"$work/tiny.lua" <<END
local sb = require "sandbell"
local tiny = sb.body("tiny", { shape = sb.$shape, material = "steel" })
function scene.start() tiny:strike { speed = 1 } end
END
    for verb in check modes render run; do
        expect 4 $verb "$work/tiny.lua"
        says err 'lengths are in metres (millimetres?)'
    done
done

echo 'local sb = require "sandbell"' >"$work/empty.lua"
expect 0 check "$work/empty.lua"
says err 'warning: the scene is empty'
for scene in bounce cup_on_table dominoes marble_run marbles rings; do
    expect 0 check "$root/scripts/$scene.lua" --for 0.02
    says_not err 'begins'
    says_not err 'hull'
    says_not err 'metres'
done

# --- check DIR
mkdir "$work/scenes"
put_scene 0.2 "$work/scenes/a.lua"
put_scene 0.2 "$work/scenes/b.lua"
echo 'return { 1, 2 }' >"$work/scenes/module.lua"
expect 0 check "$work/scenes" --for 0.05
says out 'scenes/a.lua: ok'
says out 'scenes: 2 scenes, 0 with errors'
lines out 3
echo 'error "broken"' >"$work/scenes/aa.lua"
expect 1 check "$work/scenes" --for 0.05
says err broken
says out 'scenes/b.lua: ok'
says out 'scenes: 3 scenes, 1 with errors'
mkdir "$work/nothing"
expect 2 check "$work/nothing"
says err 'holds no scene (.lua)'

# --- doctor
expect 0 doctor
says out "cache         $SANDBELL_CACHE: "
says out 'run           plays on '
SANDBELL_CACHE=off expect 0 doctor
says out 'cache         off'
expect 0 help doctor
says out 'what run would play on'

finish
