#!/bin/sh
# SPDX-License-Identifier: MIT
# A knock on a table is heard by what stands on it, as impacts.
. "$(dirname "$0")/lib.sh"

# table WHAT: two cups on a fixed table; WHAT happens after a second.
table() {
    cat >"$work/table.lua" <<END
local sb = require "sandbell"
sb.listener { gain = 0.1 }
local top = sb.body("table", {
  shape = sb.plate { width = 1, depth = 0.6, thickness = 0.02, support = "simply-supported", max_hz = 3000 }, material = "oak",
})
for i = 1, 2 do
  sb.body("cup " .. i, {
    shape = sb.tube { radius = 0.04, length = 0.08, thickness = 0.003, max_hz = 8000 }, material = "ceramic", motion = "free",
    rotation = { 0, 0, 1, math.pi / 2 }, collider = { kind = "cylinder", radius = 0.04, length = 0.08 },
    position = { 0.3 * i - 0.4, 0.05, 0.05 },
  })
end
function scene.start() sb.after(1, function() $1 end) end
END
}

# cups FROM TO: impacts of cups between these times.
cups() {
    awk -v from="$1" -v to="$2" '/"kind":"impact"/ && /cup/ {
        match($0, /"t":[0-9.e-]+/); t = substr($0, RSTART + 4, RLENGTH - 4) + 0
        if (t > from && t < to) n++
    } END { print n + 0 }' e.jsonl
}

# A script's strike: both are thrown within 30 ms, land within a second, and rest.
table 'top:strike { at = { u = 0.3, v = 0.5 }, speed = 2, mass = 0.3, material = "wood" }'
expect 0 render "$work/table.lua" -o s.wav --duration 6 --events e.jsonl --stems
between "$(cups 1 1.03)" 2 12 'impacts of cups when the table is struck'
between "$(cups 1.03 3)" 2 200 'impacts of cups that land'
equal "$(cups 4 6)" 0 'impacts of cups that rest'
equal "$(cups 0.6 1)" 0 'impacts of cups before the strike'
cp s.wav first.wav
expect 0 render "$work/table.lua" -o s.wav --duration 6 --events e.jsonl
same first.wav s.wav

# A light touch throws nothing.
table 'top:strike { at = { u = 0.3, v = 0.5 }, speed = 0.02, mass = 0.01, material = "wood" }'
expect 0 render "$work/table.lua" -o s.wav --duration 3 --events e.jsonl
equal "$(cups 0.6 3)" 0 'impacts of cups when the table is hardly touched'

# A ball that falls on the table.
table 'sb.body("ball", { shape = sb.sphere { radius = 0.03 }, material = "steel", motion = "free", position = { 0.4, 1.5, 0 } })'
expect 0 render "$work/table.lua" -o s.wav --duration 3 --events e.jsonl
between "$(cups 1.5 1.6)" 2 24 'impacts of cups when a ball falls on the table'
finish
