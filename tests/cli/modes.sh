#!/bin/sh
# SPDX-License-Identifier: MIT
# modes of a mesh: its table, the files it writes, and its errors for broken
# files; all methods; the progress of a solve, and its interruption.
. "$(dirname "$0")/lib.sh"

models=$root/models
plate=$models/plate.obj
sheet="--material steel --thickness 0.002"

# --- required arguments
expect 2 modes "$plate"
says err '--material is needed, as in --material steel; there are aluminium, brass'
lines err 1
expect 2 modes "$plate" --material stel
says err "no material is called 'stel'; did you mean 'steel'?"
lines err 1
expect 2 modes "$plate" --material granite
says err "no material is called 'granite'; like it are stone, marble or concrete"
expect 2 modes "$plate" --material qqqqqqqqqqqq
says err "no material is called 'qqqqqqqqqqqq'; there are aluminium"
echo text >"$work/scene.txt"
expect 2 modes "$work/scene.txt"
says err 'is neither a scene (.lua) nor a mesh (.obj, .ply, .stl'
lines err 1
expect 2 modes "$plate" $sheet --body plate
says err '--body is for scenes'
put_scene 0.2 "$work/bell.lua"
expect 2 modes "$work/bell.lua" --material steel
says err 'are for meshes; a scene says these itself'
expect 2 modes "$plate" $sheet --method shel
says err "no method is called 'shel'; there are analytic, shell, solid"
expect 2 modes "$plate" $sheet --plot a.jpg
says err '--plot needs a name that ends in .png'
expect 2 modes "$plate" $sheet --export a.obj
says err '--export needs a name that ends in .json, .csv, .gltf or .modal'
expect 2 modes "$plate" $sheet --method all --plot a.png
says err 'need one method, not all'
for clamp in corners 1,2,3 1,1,1,0,0,0 1,2,3,4,5,x 1,2,3,4,5,6,7 nan,0,0,1,1,1; do
    expect 2 modes "$plate" $sheet --clamp "$clamp"
    says err "--clamp needs 'edges' or the low and high corner of a box"
    lines err 1
done
expect 3 modes nothing.obj $sheet
says err 'nothing.obj: '
lines err 1
lines out 0
expect 4 modes "$plate" --material steel
says err 'its surface is open (1 hole, 104 border edges), so it has no inside'
lines out 0
expect 4 modes "$plate" $sheet --max-hz 40
says err 'the lowest mode of this mesh lies at 72'
expect 4 modes "$plate" $sheet --clamp 5,5,5,6,6,6
says err 'clamp holds none of its 739 nodes'
nothing_left

# --- the table, and what the mesh is
expect 0 modes "$plate" $sheet --modes 12
says err 'plate.obj: 739 vertices, 1372 faces, 1 component, 1 hole, 0 non-manifold edges'
says err '0.3 x 0 x 0.3 m, open'
says out 'plate: '
says out '739 vertices, 1372 elements, 4434 dof, solved in'
says out 'shell, 6 rigid motions'
expect 0 modes "$plate" $sheet --modes 12
says out 'cached; solved in'
expect 0 modes "$plate" --material steel --thickness 1e-5 --modes 12 --scale 0.003 --max-hz 1e5
says err 'warning: its largest side is'
printf 'v 0 0 0\nv .1 0 0\nv 0 .1 0\nv -.1 0 0\nv 0 -.1 0\nf 1 2 3\nf 1 4 5\n' >"$work/bow.obj"
expect 0 modes "$work/bow.obj" $sheet --modes 1
says err 'parts of it only touch, at 1 vertex: cut there, each vibrates on its own'
expect 0 modes "$root/tests/meshes/good/cube_41.msh" --material steel --modes 6 --scale 0.1
says err 'tetrahedra'

# --- the document
expect 0 modes "$plate" $sheet --modes 12 --json
equal "$(json bodies '#')" 1 bodies
equal "$(json bodies 0 name)" plate name
equal "$(json bodies 0 method)" shell method
equal "$(json bodies 0 vertices)" 739 vertices
equal "$(json bodies 0 elements)" 1372 elements
equal "$(json bodies 0 dof)" 4434 dof
equal "$(json bodies 0 rigid_modes)" 6 rigid_modes
between "$(json bodies 0 seconds)" 0 60 seconds
between "$(json bodies 0 peak_rss_bytes)" 1000000 4000000000 peak_rss_bytes
between "$(json bodies 0 merged)" 1 11 merged
between "$(json bodies 0 error_db)" 0 0.5 error_db
# A free square plate (Leissa): 13.47, 19.60, 24.27 sqrt(D / rho h) / a^2.
between "$(json bodies 0 modes 1 freq_hz) / $(json bodies 0 modes 0 freq_hz)" 1.43 1.48 'ratio of the second mode'
# From a cache that holds more modes: only the requested ones, and equal.
expect 0 modes "$plate" $sheet --modes 12
sed 1,2d "$out" >"$work/few"
expect 0 modes "$plate" $sheet --max-hz 4000
expect 0 modes "$plate" $sheet --modes 12
says out 'cached; solved in'
sed 1,2d "$out" >"$work/many"
same "$work/few" "$work/many"
expect 0 modes "$plate" $sheet --modes 12 --no-merge --json
equal "$(json bodies 0 merged)" 0 'merged with --no-merge'
expect 0 modes "$plate" $sheet --clamp edges --modes 3 --json
equal "$(json bodies 0 rigid_modes)" 0 'rigid motions of a clamped plate'
expect 0 modes "$work/bell.lua" --json
for field in vertices elements dof seconds peak_rss_bytes merged error_db; do
    holds grep -q "\"$field\":	null" "$out"
done

# --- loudness in the air
cat >"$work/exact.lua" <<'END'
local sb = require "sandbell"
sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.002, modes = 8 }, material = "steel" })
sb.body("other", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.002, modes = 8, radiation = "quick" }, material = "steel" })
END
expect 0 modes "$work/exact.lua" --body plate
says out 'radiation: exact for 8 of 8 modes'
says out 'click: 11'
expect 0 modes "$work/exact.lua" --json
equal "$(json bodies 0 radiation) $(json bodies 0 exact_modes)" 'exact 8' 'radiation'
equal "$(json bodies 1 radiation) $(json bodies 1 exact_modes)" 'quick 0' 'radiation'
equal "$(json bodies 0 clicks 0 axis 1) $(json bodies 1 clicks)" '1 []' 'clicks'

# --- closed forms merge on request
cat >"$work/merged.lua" <<'END'
local sb = require "sandbell"
sb.body("disk", { shape = sb.disk { radius = 0.1, thickness = 0.004, max_hz = 8000 }, material = "steel" })
sb.body("gong", { shape = sb.disk { radius = 0.1, thickness = 0.004, max_hz = 8000, merge = 2 }, material = "steel" })
END
expect 0 modes "$work/merged.lua" --json
all=$(json bodies 0 modes '#')
holds test "$(json bodies 1 modes '#')" -lt "$all"
equal "$(($(json bodies 1 modes '#') + $(json bodies 1 merged)))" "$all" 'modes and merged ones'
expect 0 modes "$work/merged.lua" --body gong
says out 'merged into others'
expect 0 modes "$work/merged.lua" --body gong --merge 0 --json
equal "$(json bodies 0 modes '#')" "$all" 'modes with --merge 0'

# --- all methods
cat >"$work/forms.lua" <<'END'
local sb = require "sandbell"
sb.body("bar", { shape = sb.bar { length = 0.3, width = 0.03, thickness = 0.006 }, material = "steel" })
sb.body("string", { shape = sb.string { length = 0.6, tension = 80, diameter = 0.0005 }, material = "steel" })
END
expect 0 modes "$work/forms.lua" --body bar --method all --modes 6
says out 'in cents from the closed form'
for method in 'closed form' shell solid tet4 springs springs-literal; do
    says out "$method"
done
says out 'mechanisms'
expect 0 modes "$work/forms.lua" --body bar --method all --modes 6 --json
equal "$(json bodies 0 method)" all method
equal "$(json bodies 0 methods '#')" 6 methods
equal "$(json bodies 0 methods 0 method)" analytic 'the first method'
equal "$(json bodies 0 methods 0 modes '#')" 6 'modes of the closed form'
equal "$(json bodies 0 methods 1 method)" shell 'the second method'
for mode in 0 1 2 3; do
    between "$(json bodies 0 methods 1 modes $mode cents)" -20 20 'cents by shell'
    between "$(json bodies 0 methods 2 modes $mode cents)" -20 20 'cents by solid'
done
between "$(json bodies 0 methods 5 mechanisms)" 50 1000 'mechanisms of springs-literal'
equal "$(json bodies 0 methods 1 mechanisms)" 0 'mechanisms of shell'
expect 0 modes "$work/forms.lua" --body string --method all
says out 'closed form'
says out 'shell: '
expect 0 modes "$models/die.obj" --material plastic --modes 3 --elements 8 --method all
says out 'shell: not comparable: its closed surface as a sheet is a hollow body, and this one is full'
says out 'solid'

# --- a closed mesh with a thickness
bar="$models/bar.obj --material steel --modes 6 --json"
expect 0 modes $bar
freq=$(json bodies 0 modes 0 freq_hz)
for thickness in 0.0025 0.004 0.005; do
    expect 0 modes $bar --thickness $thickness
    equal "$(json bodies 0 method)" solid "the method for $thickness m"
    equal "$(json bodies 0 modes 0 freq_hz)" "$freq" "the full bar for $thickness m"
    says err 'models/bar.obj: taken as full: its surface is closed and 5 mm thick inside'
done
expect 0 modes $bar --thickness 0.001
equal "$(json bodies 0 method)" shell 'a hollow bar'
says_not err 'taken as full'
expect 3 modes $bar --thickness 0.006
says err 'a wall of 6 mm is thicker than the body, which is 5 mm thick: leave out thickness'
expect 0 modes $bar --thickness 0.005 --method shell
says err 'method = "shell" takes it as hollow with walls of 5 mm'
expect 0 modes $models/bar.obj --material steel --modes 6 --thickness 0.001 --method all
says out 'solid: not comparable: it fills the closed surface, and this body is hollow'
cat >"$work/full.lua" <<'END'
local sb = require "sandbell"
sb.body("bar", { shape = sb.mesh("models/bar.obj", { thickness = 0.005, modes = 6 }), material = "steel" })
function scene.start() sb.find("bar"):strike { speed = 1 } end
END
expect 0 modes "$work/full.lua"
says err 'models/bar.obj: taken as full'
says out 'bar: 6 modes, solid'
expect 0 check "$work/full.lua"
says err 'models/bar.obj: taken as full'
cat >"$work/thick.lua" <<'END'
local sb = require "sandbell"
local plate = { width = 0.1, depth = 0.1, thickness = 0.015 }
sb.body("thick", { shape = sb.plate(plate), material = "steel" })
plate.theory = "kirchhoff"
sb.body("thin", { shape = sb.plate(plate), material = "steel" })
sb.body("wood", { shape = sb.disk { radius = 0.1, thickness = 0.01 }, material = "spruce" })
sb.body("block", { shape = sb.plate { width = 0.2, depth = 0.1, thickness = 0.03 }, material = "spruce" })
sb.body("ring", { shape = sb.ring { radius = 0.05, wire_radius = 0.004 }, material = "steel" })
sb.body("knob", { shape = sb.ring { radius = 0.03, wire_radius = 0.006 }, material = "steel" })
function scene.start() sb.find("thick"):strike { speed = 1 } end
END
expect 0 modes "$work/thick.lua" --limit 1
says out 'modes, analytic (Mindlin), 6 rigid motions'
says out "Kirchhoff's theory is of thin plates"
says out 'its grain is left out'
expect 0 check "$work/thick.lua"
says out 'thick: Mindlin'
says out 'thin: Kirchhoff; Kirchhoff'
says out 'wood: Mindlin; its grain is left out'
says out 'ring: the closed form is of thin wire'
says out 'knob: thicker than a fifth of its radius: solved as a solid'
# Triangles have no shear. The plate is 10 cm wide: its fourth mode lies at 16.9
# kHz by triangles and at 13.5 by Mindlin's theory.
cat >"$work/thick_shell.lua" <<'END'
local sb = require "sandbell"
local function sheet(name, thickness, material)
    sb.body(name, { material = material, shape = sb.plate { width = 0.1, depth = 0.1, thickness = thickness, method = "shell" } })
end
sheet("thick", 0.02, "steel")
sheet("thin", 0.001, "steel")
sheet("wood", 0.01, "oak")
END
expect 0 check "$work/thick_shell.lua"
says out 'thick: shell; its triangles are of thin sheet, without shear: its highest modes are some 23 % too high'
says_not out 'thin: shell; its triangles'
says out 'wood: shell; its grain is left out'
says out 'have a grain; its triangles are of thin sheet'
expect 4 modes "$models/plate.obj" --material steel --method all --json
lines out 0
expect 0 modes "$work/forms.lua" --body bar --method shell --json
equal "$(json bodies 0 method)" shell 'a closed form by shell'

# --- far more vertices than needed
awk 'BEGIN {
    n = 130
    for (i = 0; i <= n; i++) for (j = 0; j <= n; j++) print "v", 0.3 * i / n, 0, 0.3 * j / n
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) {
        a = i * (n + 1) + j + 1
        print "f", a, a + 1, a + n + 2, a + n + 1
    }
}' >"$work/fine.obj"
expect 0 modes "$work/fine.obj" --material steel --thickness 0.003 --modes 6
says err 'fine.obj: 17161 vertices are more than its modes need: thinned before it is solved (about 1 s)'
says out '5000 vertices (thinned from 17161)'
expect 0 modes "$work/fine.obj" --material steel --thickness 0.003 --modes 6 --json
# Leissa, "Vibration of plates" (1969), table 4.75: 13.49 for nu = 0.3
freq=$(json bodies 0 modes 0 freq_hz)
between "$freq" 108.0 111.0 'the lowest mode of a thinned plate'

# --- pictures
png_is() { # file width height
    set -- "$1" "$2" "$3" $("$facts" png "$1")
    equal "$4x$5" "$2x$3" "size of $1"
    between "$6" 20 16777216 "colours of $1"
}
expect 0 modes "$plate" $sheet --modes 12 --plot plate.png
png_is plate.png 1432 1240
cp plate.png again
expect 0 modes "$plate" $sheet --modes 12 --plot plate.png
same plate.png again
expect 0 modes "$models/bowl.obj" --material bronze --thickness 0.003 --modes 20 --plot bowl.png
png_is bowl.png 1432 1159
expect 0 modes "$work/forms.lua" --body bar --plot bar.png
png_is bar.png 1432 532
rm -f ./*
expect 0 modes "$work/merged.lua" --body gong --merge-plot gong.png
png_is gong.png 1400 860
expect 0 modes "$plate" $sheet --modes 12 --merge-plot merged.png
png_is merged.png 1400 860
expect 0 modes "$plate" $sheet --modes 12 --merge 0 --merge-plot apart.png
holds test "$(cksum <merged.png)" != "$(cksum <apart.png)"
rm gong.png merged.png apart.png
expect 2 modes "$plate" $sheet --merge-plot merged.jpg
says err '--merge-plot needs a name that ends in .png'
expect 2 modes "$work/merged.lua" --merge-plot both.png
says err 'choose one with --body NAME'
expect 2 modes "$work/forms.lua" --plot both.png
says err 'the scene has 2 bodies; choose one with --body NAME'
expect 2 modes "$work/forms.lua" --body string --plot string.png
says err "'string' is a string, which has no surface that moves"
expect 2 modes "$plate" $sheet --modes 12 --plot missing/plate.png
nothing_left

# --- directions
cat >"$work/exact.lua" <<'END'
local sb = require "sandbell"
sb.body("plate", { shape = sb.plate { width = 0.2, depth = 0.14, thickness = 0.002, modes = 3 }, material = "steel" })
END
expect 0 modes "$work/exact.lua" --balloon 2 -o two.png
says out ' order  left  mode'
png_is two.png 1320 556
rm two.png
expect 0 modes "$work/exact.lua" --json
json=$(cat "$out")
between "$(echo "$json" | tr -d ' \n\t' | grep -o '"left_out_db":-[0-9]*' | wc -l)" 3 3 'modes with directions'
expect 2 modes "$work/exact.lua" --balloon 4 -o four.png
says err 'plate has 3 modes, not 4'
expect 2 modes "$work/exact.lua" -o two.png
says err '--output is for --balloon'
sed -i 's/modes = 3/&, radiation = "quick"/' "$work/exact.lua"
expect 2 modes "$work/exact.lua" --balloon 1
says err 'the quick law has no directions; give its shape radiation = "exact"'
nothing_left

# --- other programs
for ending in json csv gltf modal; do
    expect 0 modes "$plate" $sheet --modes 12 --export "plate.$ending"
    holds test -s "plate.$ending"
done
holds "$facts" json plate.json modes 0 freq_hz
holds "$facts" json plate.gltf asset version
expect 2 modes "$work/forms.lua" --body bar --export bar.json
says err '--method shell or solid computes one'
expect 2 modes "$plate" $sheet --modes 12 --export missing/plate.csv
rm -f plate.*
nothing_left

# --- interrupted while it solves
SANDBELL_CACHE=off start modes "$models/die.obj" --material plastic >"$out" 2>"$err" &
solving=$!
await grep -q 'factorisation\|modes' "$err"
kill -INT "$solving"
wait "$solving"
equal $? 130 'exit code after Ctrl-C'
says err 'interrupted'
lines out 0

# --- broken files: a table or one error line, without a hang
# This looks for hangs, not for slowness: sanitizer builds get more time.
patience=$((10 * ${CK_TIMEOUT_MULTIPLIER:-1}))
number=0
for file in "$root"/tests/meshes/bad/*; do
    number=$((number + 1))
    case $file in */EXPECT | */unknown.xyz | */ending) continue ;; esac
    [ $((number % ${EVERY-1})) -eq 0 ] || continue
    command="modes $file"
    checks=$((checks + 1))
    timeout "$patience" "$sandbell" modes "$file" $sheet --modes 5 >"$out" 2>"$err" </dev/null
    code=$?
    sentences=$(grep -c '^sandbell' "$err")
    case $code in
    0) holds test -s "$out" ;;
    3 | 4) equal "$sentences" 1 'sentences' && lines out 0 ;;
    *) fault "exit code $code" ;;
    esac
done
expect 2 modes "$root/tests/meshes/bad/unknown.xyz" $sheet
nothing_left

# --- where the modes end: modes and check say the same
cat >"$work/ends.lua" <<'END'
local sb = require "sandbell"
local function sheet(name, thickness, max_hz, diffuse, material, nonlinear)
  sb.body(name, { shape = sb.plate { width = 0.6, depth = 0.7, thickness = thickness, max_hz = max_hz },
    material = material or "steel", diffuse = diffuse, nonlinear = nonlinear })
end
sheet("wood", 0.0015, nil, nil, "plywood")
sheet("loose", 0.0016, nil, nil, "plywood", {})
sheet("noise", 0.0022)
sheet("cut", 0.0022, nil, false)
sheet("near", 0.0025)
sheet("near_cut", 0.0025, nil, false)
sheet("all", 0.0027)
sheet("low", 0.0004, 4123)
END
expect 0 modes "$work/ends.lua" --limit 1
grep ' modes to .*[0-9] kHz' "$out" | sed 's/^ *//' >said_by_modes
says out 'modes to 18.8 kHz, diffuse field from there to 19.8 kHz'
says out 'diffuse field from there to 19.8 kHz, which strong damping may make several dB too loud'
equal "$(grep -c 'strong damping' "$out")" 1 'only a nonlinear body has noise where it damps strongly'
says out 'modes to 21.1 kHz, none from there to 22 kHz'
expect 0 check "$work/ends.lua" --for 0.05
for body in wood loose noise near near_cut low; do
    sed -n "s/^$body: \(modes to\)/\1/p" "$out"
done >said_by_check
sed -n "s/.*body 'cut': //p" "$err" >>said_by_check
sort said_by_modes >a && sort said_by_check >b
equal "$(cat a)" "$(cat b)" 'where the modes end, by modes and by check'
says_not out 'all: modes to'
rm -f said_by_* a b

# --- a shape that needs more memory than allowed is solved coarser, and that is
# said each time: it is not read from the cache
cat >"$work/ball.lua" <<'END'
require("sandbell").body("ball", { shape = require("sandbell").sphere { radius = 0.1 }, material = "oak" })
END
for run in first second; do
    expect 0 modes "$work/ball.lua" --memory 0.1
    says err 'ball: warning: modes may be off by '
    says err '%: smaller elements need more than '
done
# The same limit in megabytes.
expect 0 modes "$work/ball.lua" --memory 100MB
says err 'need more than 0.1 GB'
for wrong in 100KB MB 2TB 49MB 1001GB 0.1GBs; do
    expect 2 modes "$work/ball.lua" --memory "$wrong"
    says err "--memory needs 0.05 to 1000 GB, as in 0.5, 2GB or 500MB, got '$wrong'"
done
# Less than the least elements need: refused, with what fits.
expect 4 modes "$work/ball.lua" --memory 50MB
fits=$(sed -n 's/.*: --memory \([0-9]*MB\) fits.*/\1/p' "$err")
expect 0 modes "$work/ball.lua" --memory "$fits"

# --- the size of a solve is printed once, before it; a progress line follows it
cat >"$work/box.lua" <<'END'
require("sandbell").body("box", { shape = require("sandbell").box { width = 0.16, height = 0.14, depth = 0.15 }, material = "oak" })
END
expect 0 modes "$work/box.lua"
says err ' unknowns, about '
equal "$(grep ' unknowns, about ' "$err" | sort | uniq -d)" '' 'sizes that are printed twice'
first=$(grep -n ' unknowns, about ' "$err" | head -1 | cut -d: -f1)
found=$(grep -n ': modes [0-9]* of' "$err" | head -1 | cut -d: -f1)
[ "${first:-0}" -lt "${found:-9}" ] || fault 'the size was printed after the first modes'

# A pair of one frequency has one line, and counts as two.
cat >"$work/pair.lua" <<'END'
local sb = require "sandbell"
sb.body("pair", { shape = sb.cylinder { radius = 0.05, length = 0.02, merge = false }, material = "brass" })
END
expect 0 modes "$work/pair.lua"
listed=$(sed -n 's/^pair: \([0-9]*\) modes.*/\1/p' "$out")
kept=$(awk '/ mode [0-9]+/ { count += /\([0-9]+\)$/ ? substr($NF, 2) : 1 } END { print count }' "$out")
says out "nothing merged: $kept modes, of which $((kept - listed)) ha"

# A wall that is solved, and a word on how it need not be; not where the script limits the modes.
cat >"$work/wall.lua" <<'END'
local sb = require "sandbell"
sb.body("wall", { shape = sb.box { width = 1.2, height = 1, depth = 0.5 }, material = "concrete" })
sb.body("gong", { shape = sb.box { width = 1.2, height = 1, depth = 0.5, modes = 20 }, material = "concrete" })
END
expect 0 check "$work/wall.lua" --for 0.05
hint='shape = sb.rigid {}, collider = { kind = "box", width = 1.2, height = 1, depth = 0.5 }'
says out "wall: if it only stands in the way, it needs no solve as $hint"
says_not out 'gong: if it only'
expect 0 modes "$work/wall.lua" --body wall --limit 1
says out "   if it only stands in the way, it needs no solve as $hint"
echo "local sb = require 'sandbell' sb.body('wall', { $hint, material = 'concrete' })" >"$work/rigid.lua"
expect 0 check "$work/rigid.lua" --for 0.05
says out '1 body, 0 modes'

# Modes given by hand are all there are.
cat >"$work/given.lua" <<'END'
local sb = require "sandbell"
local modes = {}
for i = 1, 128 do modes[i] = { freq = 100 + 60 * i, t60 = 0.5 } end
sb.body("given", { shape = sb.modes(modes) })
END
expect 0 check "$work/given.lua" --for 0.05
says out '128 modes'
says_not out 'diffuse field'
finish
