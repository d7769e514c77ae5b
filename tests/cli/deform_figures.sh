#!/bin/sh
# SPDX-License-Identifier: MIT
# deform_figures.sh PROGRAM FACTS ROOT FIND_LINES: deformable bodies against closed
# forms, as in the figures of O'Brien, Cook & Essl 2001. Few elements and short
# sounds: a fraction of a second of sound takes seconds here.
. "$(dirname "$0")/lib.sh"
find_lines=$4
for folder in scripts models; do ln -s "$root/$folder" "$folder"; done

# line FILE FROM TO HZ: frequency of the line near HZ, its level below the loudest
# line and its level, in $hz, $db and $dbfs.
line() {
    # shellcheck disable=SC2046 # three words
    set -- $("$find_lines" "$@")
    hz=$1 db=$2 dbfs=$3
}
cents() { awk "BEGIN { printf \"%.3f\", 1200 * log($1 / $2) / log(2) }"; }
centroid() { "$find_lines" "$@"; }

# --- figure 5: a clamped bar --------------------------------------------------

# Bending after Timoshenko for a Poisson's ratio of 0: a clamp then keeps the
# section from nothing that a beam would do, and both must agree.
cat >bar.lua <<'END'
local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.4 }, facing = { 0, -0.3, -0.4 }, gain = 60 }
local bar = sb.deformable("bar", {
  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, elements = 14, hold = "clamped-free",
  material = sb.material("beam", { base = "steel", density = 7850, youngs_modulus = 200e9, poisson_ratio = 0 }),
})
function scene.start() bar:strike { at = { u = 1, v = 0.5 }, impulse = 0.002 } end
END
expect 0 render bar.lua -o bar.wav --duration 0.12 --threads 1
for wanted in 101.88 636.91 1776.4; do
    line bar.wav 0.005 0.12 $wanted
    between "$(awk "BEGIN { print 100 * ($hz / $wanted - 1) }")" -1 1 "per cent off the line at $wanted Hz"
    echo "$name: clamped bar, $wanted Hz: $hz Hz, $db dB"
done

# --- pitch of default meshes -----------------------------------------------------

# Exact values: bars by three-dimensional elasticity (free) and Timoshenko
# (clamped), plates by Kirchhoff, Hz. A clamp holds a bar's section as well, which
# raises its pitch by half a per cent. Modes of the same mesh stand for the lines:
# they agree to 0.01 %, below.
cat >pitch.lua <<'END'
local sb = require "sandbell"
local steel = sb.material("S", { base = "steel", density = 7850, youngs_modulus = 200e9, poisson_ratio = 0.29 })
local function body(name, shape, hold) sb.deformable(name, { shape = shape, material = steel, hold = hold }) end
local function bar() return sb.bar { length = 0.2, width = 0.02, thickness = 0.005, merge = 0 } end
local function plate(thickness)
  return sb.plate { width = 0.3, depth = 0.3, thickness = thickness, merge = 0 }
end
body("bar", bar())
body("held", bar(), "clamped-free")
body("free", plate(0.002))
body("clamped", plate(0.002), "clamped")
body("pinned", plate(0.002), "pinned")
body("disk", sb.disk { radius = 0.15, thickness = 0.001, merge = 0 }, "clamped")
END
expect 0 modes pitch.lua
# pitch BODY PER_CENT HZ...: the mode nearest to each HZ is as near as this.
pitch() {
    body=$1 most=$2
    shift 2
    for wanted in "$@"; do
        near=$(awk -v body="$body:" -v wanted="$wanted" '
            /^[^ ].* modes,/ { is_on = $1 == body }
            is_on && $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9.]+$/ {
                off = 100 * ($2 / wanted - 1)
                if (best == "" || off * off < best * best) best = off
            }
            END { print best }' "$out")
        between "$near" "-$most" "$most" "per cent between $wanted Hz and a mode of the $body"
    done
}
pitch bar 1 647.36 1778.86 2507.21 3471.11 3503.80 5701.93 6531.87 7043.73 8450.11
pitch held 1 101.873 636.572 1774.148
pitch free 1.5 73.003 106.113 130.429 188.290 329.212
pitch clamped 1.5 193.775 395.214 582.729 708.542 711.902
pitch pinned 1.5 106.293 265.731 425.170 531.463
pitch disk 1.5 110.021 228.968 375.614 428.322

# --- figures 6 and 7: a plate, struck in its centre and off it ----------------

plate="scripts/plate_struck.lua --duration 0.2 --threads 1 --set elements=12"
# shellcheck disable=SC2086 # a list of words
expect 0 render $plate -o centre.wav
# shellcheck disable=SC2086
expect 0 render $plate -o off.wav --set off=1
# f = 53.1465 (m^2 + n^2) Hz: odd numbers of half waves are heard from the centre.
line centre.wav 0.005 0.2 106.293
between "$hz" 105.2 107.4 'mode 1,1 of the plate'
between "$db" -25 0 'its level'
for even in 265.732 425.172 690.904; do
    line off.wav 0.005 0.2 $even
    off=$db
    between "$off" -30 0 "the line at $even Hz after a strike off the centre"
    line centre.wav 0.005 0.2 $even
    between "$db" -200 "$(awk "BEGIN { print $off - 30 }")" "the line at $even Hz after a strike in the centre"
    echo "$name: plate, $even Hz: $off dB off the centre, $db dB in it"
done

# --- the same mesh as modes ------------------------------------------------------

# By the quick law modes sound equally loud in all directions, at their mean. Of a dipole, which
# the lowest modes of a small plate are, that is its level on the space diagonal.
cat >both.lua <<'END'
local sb = require "sandbell"
local metres = 3 / math.sqrt(3)
sb.listener { position = { metres, metres, metres }, facing = { -1, -1, -1 }, gain = 2000, ears = "pair" }
local plate = sb.deformable("plate", {
  shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.001, radiation = "quick" }, elements = 12, hold = "clamped",
  material = sb.material("bright", { base = "steel", alpha = 2, beta = 0 }),
})
plate:linear("twin")
function scene.start() plate:strike { at = { u = 0.4, v = 0.45 }, mass = 0.001, speed = 0.005, hardness = 1e6 } end
END
expect 0 modes both.lua
says out 'twin: '
equal "$(grep -c '169 vertices, 288 elements' "$out")" 2 'meshes alike'
expect 0 render both.lua -o bends.wav --duration 0.3 --threads 1
expect 0 render both.lua -o rings.wav --duration 0.3 --linear
for wanted in 94.86 332.7; do
    line bends.wav 0.03 0.3 $wanted
    bends=$hz loud=$dbfs
    line rings.wav 0.03 0.3 $wanted
    between "$(awk "BEGIN { print 100 * ($bends / $hz - 1) }")" -0.01 0.01 "per cent between a line at $hz Hz and its mode"
    between "$(awk "BEGIN { print $loud - ($dbfs) }")" -1 1 "dB between a line at $hz Hz and its mode"
    echo "$name: the line at $bends Hz is $(awk "BEGIN { printf \"%.4f %%, %.2f dB\", 100 * ($bends / $hz - 1), $loud - ($dbfs) }") off its mode"
done

# --- A against B: as loud as its linear modes, from the same side --------------

cat >pair.lua <<'END'
local sb = require "sandbell"
sb.listener { position = { 0.2, 1.8, 0.7 }, facing = { 0, -1, -0.4 }, gain = 3000 }
sb.quality { tau = 0 } -- soft lines, too
local plate = sb.deformable("plate", {
  shape = sb.plate { width = 0.3, depth = 0.21, thickness = 0.002, radiation = "exact" }, elements = 14,
  material = sb.material("dull", { base = "steel", alpha = 10, beta = 1e-7 }),
})
function scene.start() plate:strike { at = { u = 0.1, v = 0.13 }, impulse = 2e-4, mass = 0.002, hardness = 1e6 } end
END
expect 0 render pair.lua -o a.wav --duration 0.25 --float --threads 1
expect 0 render pair.lua -o b.wav --duration 0.25 --float --linear
for wanted in 236 335 485; do
    line a.wav 0.03 0.25 $wanted
    a_hz=$hz a_dbfs=$dbfs
    line b.wav 0.03 0.25 $wanted
    between "$(awk "BEGIN { print $a_dbfs - ($dbfs) }")" -1 1 "dB of A over B at $wanted Hz"
    echo "$name: A against B, $wanted Hz: $a_hz and $hz Hz, $a_dbfs and $dbfs dBFS"
done

# --- figure 9: Doppler ---------------------------------------------------------

cat >fly.lua <<'END'
local sb = require "sandbell"
local speed = sb.param("speed", { min = -100, max = 100, default = 40 })
sb.world { gravity = { 0, 0, 0 } }
sb.listener { position = { 10, 0, 0 }, facing = { -1, 0, 0 }, gain = 20000, ears = "pair" }
local bar = sb.deformable("bar", {
  shape = sb.bar { length = 0.36, width = 0.05, thickness = 0.0127 }, material = "aluminium", elements = 6,
  motion = "free", velocity = { speed(), 0, 0 },
})
function scene.start() bar:strike { at = { u = 0.97, v = 0.5 }, impulse = 1e-4 } end
END
expect 0 render fly.lua -o near.wav --duration 0.12 --threads 1
expect 0 render fly.lua -o far.wav --duration 0.12 --threads 1 --set speed=-40
line near.wav 0.035 0.12 5694
near=$hz
line far.wav 0.035 0.12 4506
# (c + v) / (c - v) with c = 343.215 m/s at 20 C
off=$(awk "BEGIN { c = 343.215; print $(cents "$near" "$hz") - 1200 * log((c + 40) / (c - 40)) / log(2) }")
between "$off" -1 1 'cents by which the Doppler shift is off'
echo "$name: Doppler, 40 m/s: $near and $hz Hz, $off cents off"

# Nothing of a moving body's sound is left out: gaps between its pieces would
# be clicks, far above its highest line.
cat >sway.lua <<'END'
local sb = require "sandbell"
sb.world { gravity = { 0, 0, 0 } }
sb.listener { position = { 0, 0.4, 0.3 }, facing = { 0, -0.4, -0.3 }, gain = 20 }
local bar = sb.deformable("bar", {
  shape = sb.bar { length = 0.36, width = 0.05, thickness = 0.0127 }, elements = 6, motion = "free",
  material = sb.material("dull", { base = "aluminium", alpha = 0, beta = 1e-6 }), velocity = { 1, 0, 0 },
})
function scene.start() bar:strike { at = { u = 0.97, v = 0.5 }, speed = 0.1, mass = 0.1, hardness = 1e5 } end
END
expect 0 render sway.lua -o sway.wav --duration 0.2 --threads 1
line sway.wav 0.06 0.2 18000
between "$db" -200 -100 'the level at 18 kHz of a moving bar'
echo "$name: a moving bar at 18 kHz: $db dB"

# --- figure 11: a sheet bent more and less --------------------------------------

# Ends that come nearer by d bend a sheet of length L to the radius
# R = L^2 / (8 s), s^2 = 3 L d / 8, whose ring rings at c / (2 pi R): 1.02 kHz with
# 4 mm, 1.77 kHz with 12 mm. A tap at 0.4 s is heard there.
wobble="scripts/wobble_for_real.lua --duration 0.5 --threads 1 --set elements=10"
# shellcheck disable=SC2086 # a list of words
expect 0 render $wobble -o little.wav --set bend=0.004
# shellcheck disable=SC2086
expect 0 render $wobble -o much.wav --set bend=0.012
for bent in little much; do
    line $bent.wav 0.41 0.5 1020
    low=$dbfs
    line $bent.wav 0.41 0.5 1680
    eval "$bent=$(awk "BEGIN { print $dbfs - ($low) }")"
done
between "$little" -200 -20 'dB at 1.7 kHz over 1 kHz of a sheet that is bent little'
between "$much" -3 60 'dB at 1.7 kHz over 1 kHz of a sheet that is bent much'
echo "$name: a sheet bent by 4 mm: $little dB at 1.7 kHz over 1 kHz, by 12 mm: $much dB"

# --- a gong hit hard -------------------------------------------------------------

cat >gong.lua <<'END'
local sb = require "sandbell"
local speed = sb.param("speed", { min = 0.001, max = 20, default = 0.01 })
local elements = sb.param("elements", { min = 4, max = 60, default = 12 })
sb.listener { position = { 0.2, 0.5, 0.5 }, facing = { -0.2, -0.5, -0.5 }, gain = 5 / speed() }
local gong = sb.deformable("gong", {
  shape = sb.disk { radius = 0.2, thickness = 0.001, support = "clamped" }, elements = elements(),
  material = sb.material("gong metal", { base = "bronze", alpha = 2, beta = 2e-8 }),
})
function scene.start()
  gong:strike { at = { u = 0.7, v = 0.5 }, speed = speed(), mass = 0.2, hardness = 5e4 }
end
END
# rise WAV: how much the centroid grows in 0.15 s; two lowest modes need a tenth of
# a second to be told apart
rise() {
    early=$(centroid "$1" 0.008 0.108)
    late=$(centroid "$1" 0.15 0.25)
    ratio=$(awk "BEGIN { print $late / $early }")
}
# What it hands on must be resolved to be heard.
expect 0 render gong.lua -o hard.wav --duration 0.25 --threads 1 --set speed=1.5 --set elements=28
rise hard.wav
between "$ratio" 1.3 10 'how much brighter a gong gets after a hard hit'
echo "$name: gong hit hard: centroid $early Hz, then $late Hz"
expect 0 render gong.lua -o soft.wav --duration 0.25 --threads 1
rise soft.wav
between "$ratio" 0 1.05 'how much brighter it gets after a soft one'
echo "$name: gong hit softly: centroid $early Hz, then $late Hz"
expect 0 render gong.lua -o linear.wav --duration 0.25 --linear
rise linear.wav
between "$ratio" 0 1.05 'how much brighter its modes get'
echo "$name: gong as linear modes: centroid $early Hz, then $late Hz"
finish
