#!/bin/sh
# SPDX-License-Identifier: MIT
# Wheels whose shape is heard: a prism of 32 sides knocks once per side
# (Raghuvanshi & Lin 2006, figure 6), a wheel with a flat spot once per turn.
. "$(dirname "$0")/lib.sh"

# prism SIDES FLAT: a closed prism about y of radius 5 cm; FLAT metres are cut off
# at one side.
prism() {
    awk -v n="$1" -v flat="$2" 'BEGIN {
        r = 0.05
        for (k = -1; k <= 1; k += 2)
            for (i = 0; i < n; i++) {
                a = 2 * 3.14159265359 * (i + 0.5) / n
                x = r * cos(a)
                if (x > r - flat) x = r - flat
                printf "v %.9g %.9g %.9g\n", x, 0.05 * k, r * sin(a)
            }
        print "v 0 -0.05 0\nv 0 0.05 0"
        for (i = 1; i <= n; i++) {
            j = i % n + 1
            printf "f %d %d %d\nf %d %d %d\n", i, i + n, j, j, i + n, j + n
            printf "f %d %d %d\nf %d %d %d\n", 2 * n + 1, i, j, 2 * n + 2, j + n, i + n
        }
    }'
}

# It rolls down a ramp that makes up for what the knocks take.
cat >"$work/roll.lua" <<'END_OF_SCENE'
local sb = require "sandbell"
sb.listener { gain = 0.5 }
local slope = 0.06
sb.body("ramp", {
  shape = sb.plate { width = 4, depth = 0.4, thickness = 0.02, support = "simply-supported", max_hz = 2000 },
  material = "oak", rotation = { 0, 0, 1, -slope },
})
sb.body("wheel", {
  shape = sb.mesh("wheel.obj", { max_hz = 20000, elements = 8 }), material = "steel", motion = "free", restitution = 0,
  position = { -1.5, 1.5 * math.tan(slope) + (0.01 + 0.05) / math.cos(slope), 0 }, rotation = { 1, 0, 0, math.pi / 2 },
  velocity = { 0.6, -0.6 * math.tan(slope), 0 }, spin = { 0, 0, -12 },
})
END_OF_SCENE

# knocks LEAST: times of impacts of at least this speed after the first 0.2 s; those
# within 2 ms are one knock of both ends of an edge.
knocks() {
    awk -v least="$1" '
    /"kind":"impact"/ {
        match($0, /"t":[0-9.e-]+/); t = substr($0, RSTART + 4, RLENGTH - 4) + 0
        match($0, /"speed":[0-9.e-]+/); v = substr($0, RSTART + 8, RLENGTH - 8) + 0
        if (t > 0.2 && v >= least && t - last > 0.002) print t
        if (t > 0.2 && v >= least) last = t
    }' e.jsonl
}
# way: what the wheel has rolled from 0.2 s to the end, m.
way() {
    sed -n 's/.*"t":\([0-9.]*\),.*"position":\[\([^,]*\),.*/\1 \2/p' p.jsonl |
        awk '$1 > 0.2 && !n++ { first = $2 } { last = $2 } END { print (last - first) / cos(0.06) }'
}

for n in 32 64; do
    prism $n 0 >"$work/wheel.obj"
    expect 0 render "$work/roll.lua" -o w.wav --duration 2.2 --events e.jsonl --poses p.jsonl
    knocks 0.02 >k
    sides=$(awk -v way="$(way)" -v n=$n 'BEGIN { print way / (2 * 0.05 * sin(3.14159265359 / n)) }')
    between "$(awk -v sides="$sides" 'END { print NR / sides }' k)" 0.97 1.03 "knocks per side of $n"
    # Regular: eight of ten intervals are within 10 % of the one before.
    between "$(awk 'NR > 2 { d++; r = ($1 - b) / (b - a); if (r > 0.9 && r < 1.1) same++ } { a = b; b = $1 } END { print same / d }' k)" \
        0.8 1 "knocks of $n sides at regular times"
done

prism 64 0.003 >"$work/wheel.obj"
expect 0 render "$work/roll.lua" -o w.wav --duration 2.2 --events e.jsonl --poses p.jsonl
knocks 0.25 >k
between "$(awk -v way="$(way)" 'END { print NR - way / (2 * 3.14159265359 * 0.05) }' k)" -1 1 \
    'hard knocks more than turns'
between "$(awk 'NR > 1 { d = $1 - last; if (!n++ || d < least) least = d } { last = $1 } END { print least }' k)" \
    0.3 1 'seconds between two hard knocks'

# cylinder_table.lua: rolls over the table and, after its fall, over the floor.
expect 0 render "$root/scripts/cylinder_table.lua" -o w.wav --duration 5.1 --events e.jsonl
# rolls ON: seconds of its longest roll there.
rolls() {
    grep "\"kind\":\"roll\",\"a\":\"$1\"" e.jsonl | sed 's/.*"t":\([0-9.]*\),.*"phase":"\([a-z]*\)","id":"\([^"]*\)".*/\1 \2 \3/' |
        awk '$2 == "begin" { at[$3] = $1 } $2 == "end" && $1 - at[$3] > most { most = $1 - at[$3] } END { print most + 0 }'
}
between "$(rolls table)" 0.3 0.5 'seconds of rolling on the table'
between "$(rolls floor)" 3 3.5 'seconds of rolling on the floor'
between "$("$facts" level w.wav 2.5 4.5)" -50 -35 'level of rolling on the floor, dBFS'
between "$("$facts" wav w.wav | cut -d' ' -f4)" -10 -1 'peak, dBFS'
# With 32 sides: the knocks on the floor of figure 6, 17 ms apart with a deviation of
# 10 ms. Both ends of an edge are one knock.
expect 0 render "$root/scripts/cylinder_table.lua" -o w.wav --duration 4.9 --events e.jsonl --set where=1 --set sides=1
grep '"kind":"impact","a":"floor"' e.jsonl | sed 's/.*"t":\([0-9.]*\),.*/\1/' |
    awk 'NR > 1 && $1 - last > 0.001 { d = $1 - last; n++; sum += d; all += d * d } NR == 1 || $1 - last > 0.001 { last = $1 }
        END { mean = sum / n; print n, 1000 * mean, 1000 * sqrt(all / n - mean * mean) }' >gaps
between "$(cut -d' ' -f1 gaps)" 80 200 'knocks on the floor'
between "$(cut -d' ' -f2 gaps)" 15 19 'mean time between two, ms'
between "$(cut -d' ' -f3 gaps)" 8 12 'its standard deviation, ms'
between "$("$facts" level w.wav 0.8 2)" -50 -35 'level of the knocks, dBFS'
finish
