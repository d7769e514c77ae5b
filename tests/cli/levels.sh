#!/bin/sh
# SPDX-License-Identifier: MIT
# The automatic gain of the listener, and the warnings of what is too loud and
# very quiet.
. "$(dirname "$0")/lib.sh"

# scene LISTENER SHAPE STRIKE: one body, struck once.
scene() {
    cat >"$work/one.lua" <<EOF
local sb = require "sandbell"
$1
local body = sb.body("body", { shape = $2, material = "steel" })
function scene.start() body:strike { $3 } end
EOF
}
peak() { # of the last render, dBFS
    sed -n 's/.*"peak_dbfs":[^-0-9]*\([-0-9.]*\).*/\1/p' "$out"
}
hear() {
    expect 0 render "$work/one.lua" --float --duration 0.3 -o x.wav --json
}
pin='sb.bar { length = 0.03, width = 0.002, thickness = 0.001 }'
gong='sb.disk { radius = 0.25, thickness = 0.004 }'

# --- a pin and a gong are both heard
for shape in "$pin" "$gong"; do
    scene '' "$shape" 'speed = 1'
    hear
    between "$(peak)" -40 -6 "peak of $shape"
    says_not err quiet
    says_not err loud
done

# --- sheets whose noise is louder than their modes are not counted too loud
for shape in 'sb.plate { width = 2, depth = 1, thickness = 0.0006 }' \
    'sb.disk { radius = 0.5, thickness = 0.001 }' \
    'sb.plate { width = 1.5, depth = 1, thickness = 0.0006, support = "clamped" }'; do
    scene '' "$shape" 'speed = 1'
    hear
    between "$(peak)" -25 -15 "peak of $shape"
done

# moves SHAPE MATERIAL HEIGHT SPEED BASE MATERIAL: a thing above, or on, a base.
moves() {
    cat >"$work/one.lua" <<EOF
local sb = require "sandbell"
sb.listener { position = { 0, 0.5, 0.7 } }
sb.body("base", { shape = $5, material = "$6", position = { 0, -0.01, 0 },
  collider = { kind = "box", width = 2, height = 0.02, depth = 1 } })
sb.body("thing", { shape = $1, material = "$2", motion = "free", position = { -0.3, $3, 0.05 }, velocity = { $4, 0, 0 } })
EOF
    expect 0 render "$work/one.lua" --float --duration 1 -o x.wav --json
}

# --- what only rolls or falls is heard, and does not clip: a marble that rolls and a
# heavy ball that falls are 70 dB apart
sheet='sb.plate { width = 0.6, depth = 0.4, thickness = 0.004 }'
board='sb.plate { width = 1, depth = 0.5, thickness = 0.02 }'
moves 'sb.sphere { radius = 0.008 }' glass 0.008 0.5 "$sheet" steel
between "$(peak)" -33 -6 'peak of a marble that rolls'
moves 'sb.sphere { radius = 0.015 }' steel 0.015 0.5 "$board" oak
between "$(peak)" -33 -6 'peak of a ball that rolls on wood'
moves 'sb.sphere { radius = 0.03 }' oak 0.03 0.5 "$sheet" glass
between "$(peak)" -33 -6 'peak of a wooden ball that rolls on glass'
moves 'sb.sphere { radius = 0.008 }' glass 1 0 "$sheet" steel
between "$(peak)" -33 -6 'peak of a marble that falls'
moves 'sb.sphere { radius = 0.05 }' steel 1 0 "$sheet" steel
between "$(peak)" -33 -6 'peak of a heavy ball that falls'

cat >"$work/one.lua" <<EOF
local sb = require "sandbell"
sb.listener { position = { 1.2, 0.03, 0 }, facing = { -1, 0, 0 } }
sb.body("table", { shape = sb.floor(), material = "stone" })
local ball = { shape = sb.sphere { radius = 0.03, max_hz = 9000 }, material = "plastic", motion = "free" }
ball.position = { 0.2, 0.03, 0 }
sb.body("one", ball)
ball.position, ball.velocity = { -0.2, 0.03, 0 }, { 4, 0, 0 }
sb.body("other", ball)
EOF
expect 0 render "$work/one.lua" --float --duration 0.3 -o x.wav --json
between "$(peak)" -33 -6 'peak of a ball that runs into another'

# --- what happens to a body is heard as it is: speed, distance, the body's gain
still='sb.air { absorption = false }'
scene "$still" "$gong" 'impulse = 0.01, mass = 0.05, hardness = 5e6'
hear
soft=$(peak)
scene "$still" "$gong" 'impulse = 0.02, mass = 0.05, hardness = 5e6'
hear
between "$(peak) - ($soft)" 6.01 6.03 'twice the impulse, dB'
scene "$still sb.listener { position = { 0, 1.2, 1.6 } }" "$gong" 'impulse = 0.02, mass = 0.05, hardness = 5e6'
hear
between "$(peak) - ($soft)" -0.1 0.1 'twice as far, dB'

# --- the bodies of a scene keep their proportions: beside the gong a pin is lost
cat >"$work/one.lua" <<EOF
local sb = require "sandbell"
sb.body("gong", { shape = $gong, material = "steel" })
local pin = sb.body("pin", { shape = $pin, material = "steel" })
function scene.start() pin:strike { speed = 1 } end
EOF
hear
between "$(peak)" -200 -60 'a pin beside a gong'
says err 'very quiet: the peak is -'

# --- where the gain would be out of its range, the warning names none
scene 'sb.listener { gain = 1000 }' "$gong" 'impulse = 1e-9'
hear
says err 'very quiet: the peak is -'
says err 'no gain of the listener would cure it: strike harder'
says_not err 'gain = '

# --- a body that is muted is named, in place of a silence without a reason
cat >"$work/one.lua" <<EOF
local sb = require "sandbell"
local body = sb.body("body", { shape = sb.modes { { 1000, 1e4, 1000 } } })
function scene.start() body:strike { impulse = 1e4 } end
EOF
hear
says err "body 'body' is muted: its sound is a million times full scale or not a number"
says_not err 'nothing sounded'
expect 0 run "$work/one.lua" --backend null --for 0.3
says err "body 'body' is muted"
expect 0 check "$work/one.lua"
says err "body 'body' is muted"
says_not err "nothing sounds"

# --- the gain that the warning names is a cure, for what is quiet and for what is loud
cure() {
    sed -n 's/.*sb.listener { gain = \([0-9.e+]*\) } would cure it.*/\1/p' "$err"
}
scene 'sb.listener { gain = 0.01 }' "$gong" 'speed = 1'
hear
says err 'very quiet: the peak is -'
between "$(peak)" -100 -41 'at a gain of 0.01'
scene "sb.listener { gain = $(cure) }" "$gong" 'speed = 1'
hear
between "$(peak)" -13 -11 'after the cure'
says_not err quiet
scene 'sb.listener { gain = 300 }' "$gong" 'speed = 1'
hear
says err 'too loud: the limiter took up to'
expect 0 check "$work/one.lua"
says err 'too loud: the limiter took up to'
says err 'in the first 1 s; sb.listener { gain = '
scene "sb.listener { gain = $(cure) }" "$gong" 'speed = 1'
hear
between "$(peak)" -3 -0.5 'after the cure'
says_not err loud

# --- a script's gain counts, and the automatic one is said
scene '' "$gong" 'speed = 1'
expect 0 render "$work/one.lua" --float --duration 0.3 -o x.wav
says out ', listener gain '
says out ' (automatic), '
scene 'sb.listener { gain = 1 }' "$gong" 'speed = 1'
expect 0 render "$work/one.lua" --float --duration 0.3 -o x.wav
says_not out automatic
hear
says out '"listener_gain":	1,'

# --- a vacuum carries nothing, and takes nothing of what rings
scene 'sb.world { air = 0 }' 'sb.disk { radius = 0.25, thickness = 0.004 }' 'speed = 1'
hear
says err 'sb.world { air = 0 } is a vacuum'
between "$(sed -n 's/.*"peak_dbfs":[^-0-9n]*\([-0-9.]*\|null\),.*/\1/p' "$out" | sed 's/null/-999/')" -9999 -200 'peak in a vacuum'
expect 0 modes "$work/one.lua" --json
holds grep -q '"radiation":	"quick"' "$out"

finish
