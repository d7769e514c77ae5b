#!/bin/sh
# SPDX-License-Identifier: MIT
# deform_resolved.sh PROGRAM FACTS ROOT FIND_LINES: of a deformable body is heard
# what its mesh resolves: the same with more elements, and nothing above.
. "$(dirname "$0")/lib.sh"
find_lines=$4
for folder in scripts models; do ln -s "$root/$folder" "$folder"; done

# Hit by so much that its energy climbs: the parts of the spectrum that 16 elements
# resolve are the same with 24, and nothing is heard above them.
cat >hit.lua <<'END'
local sb = require "sandbell"
local elements = sb.param("elements", { min = 4, max = 60, default = 16 })
sb.listener { position = { 0.3, 0.5, 0.5 }, facing = { -0.3, -0.5, -0.5 }, gain = 5 }
local plate = sb.deformable("plate", {
  shape = sb.plate { width = 0.3, depth = 0.25, thickness = 0.001 }, material = "steel", elements = elements(), hold = "clamped",
})
function scene.start() plate:strike { at = { u = 0.6, v = 0.45 }, speed = 4, mass = 0.05, hardness = 1e5 } end
END
for elements in 16 24; do
    expect 0 render hit.lua -o hit$elements.wav --duration 0.12 --threads 1 --set elements=$elements
    says err 'plate: sound up to'
    "$find_lines" hit$elements.wav 0.005 0.12 thirds >hit$elements.txt
done
# worst FILE FILE HZ: how much two neighbouring thirds below HZ that are heard
# differ at most, dB. (Elements move a mode over the edge of a single one.)
worst() {
    paste -d' ' "$1" "$2" | awk -v most="$3" '
        { of[NR] = $1; a[NR] = 10 ^ ($2 / 10); b[NR] = 10 ^ ($4 / 10) }
        a[NR] > loudest { loudest = a[NR] }
        END {
            for (i = 1; i < NR && of[i + 1] < most; i++) {
                one = a[i] + a[i + 1]
                d = 10 / log(10) * log(one / (b[i] + b[i + 1]))
                if (one > loudest / 1000 && (d < 0 ? -d : d) > worst) worst = d < 0 ? -d : d
            }
            print worst + 0
        }'
}
worst=$(worst hit16.txt hit24.txt 640)
between "$worst" 0.001 2 'dB between two thirds of an octave of 16 elements and of 24'
above=$(awk '$2 > loudest || loudest == "" { loudest = $2 } $1 > 1500 && ($2 > most || most == "") { most = $2 }
    END { print most - loudest }' hit16.txt)
between "$above" -300 -50 'dB, what is heard an octave above what 16 elements resolve'
echo "$name: 16 elements against 24: $worst dB at most; above: $above dB"

# The same of scenes: nothing above what a render says, first when a sheet is
# flat, then while it was bent. A sheet that falls has slapped the floor after
# 0.1 s; a tenth of a degree changes what follows.
# resolves SCENE SECONDS ELEMENTS [HEIGHT]: renders it to scene.wav; $limit_hz
resolves() {
    expect 0 render "$1" -o scene.wav --duration "$2" --threads 1 --set "elements=$3" ${4:+--set "$4"}
    limit_hz=$(awk '/: sound up to/ { sub(/.*: sound up to /, ""); if ($1 + 0 > most) most = $1 + 0 } END { print most + 0 }' "$err")
    above=$("$find_lines" scene.wav 0 "$2" above "$limit_hz")
    between "$above" 0 1 "per cent of the energy of $1 above $limit_hz Hz, with $3 elements"
    echo "$name: $1, $3 elements: $above % above $limit_hz Hz"
}
resolves scripts/falling_sheet.lua 0.1 16
between "$limit_hz" 425 470 'Hz up to which 16 elements of the falling sheet are heard'
"$find_lines" scene.wav 0 0.1 thirds >sheet16.txt
resolves scripts/falling_sheet.lua 0.1 24
"$find_lines" scene.wav 0 0.1 thirds >sheet24.txt
worst=$(worst sheet16.txt sheet24.txt 350)
between "$worst" 0.001 3 'dB between two thirds of an octave of a falling sheet of 16 elements and of 24'
echo "$name: falling sheet, 16 elements against 24: $worst dB at most"
sed '/^drop("stiff"/d' "$root/scripts/ball_on_sheet.lua" >soft.lua
resolves soft.lua 0.12 16
says err ' Hz while it was bent'
resolves soft.lua 0.05 24
for elements in 9 12; do
    resolves scripts/falling_bowl.lua 0.08 $elements height=0.125
    "$find_lines" scene.wav 0 0.08 thirds >bowl$elements.txt
done
worst=$(worst bowl9.txt bowl12.txt 900)
between "$worst" 0.001 3 'dB between two thirds of an octave of a falling bowl of 9 elements and of 12'
echo "$name: falling bowl, 9 elements against 12: $worst dB at most"
finish
