#!/bin/sh
# SPDX-License-Identifier: MIT
# squeaking_glass.lua: what slides slowly sticks and slips where static friction is
# above kinetic friction, and only there; and it goes on scraping.
. "$(dirname "$0")/lib.sh"
lines=$4

# rubs OPTIONS: render the slow pushes, from 0.2 to 1.2 s and from 1.6 to 2.8 s, and
# the rest after each. Two squeaks are possible, with other partials. heard: "Hz dB
# dBFS" of two neighbours, of the push and the squeak in which the first is loudest.
rubs() {
    expect 0 render "$work/glass.lua" -o s.wav --events s.jsonl --duration 3.2 "$@"
    for span in '0.5 1.1' '1.8 2.7'; do
        for pair in '4558 5246' '7094 7787'; do
            "$lines" s.wav $span $pair | tr '\n' ' '
            echo
        done
    done | sort -k 3 -n | tail -n 1 | awk '{ print $1, $2, $3; print $4, $5, $6 }' >heard
}
level() { sed -n "$1p" heard | cut -d' ' -f3; }
# below WHAT: the partial is far below the squeak's.
below() { between "$(awk -v a="$(level 1)" -v b="$squeak" 'BEGIN { print a - b }')" -300 -15 "level $1, dB above that of the squeak"; }

cp "$root/scripts/squeaking_glass.lua" "$work/glass.lua"
rubs
between "$(sed -n 's/.*"t":\([0-9.]*\),"kind":"rub".*"phase":"begin".*/\1/p' s.jsonl | head -n 1)" 0.2 0.24 'begin of the squeak'
between "$(sed -n 's/.*"t":\([0-9.]*\),"kind":"rub".*"phase":"end".*/\1/p' s.jsonl | tail -n 1)" 2.8 2.86 'end of the squeak'
squeak=$(level 1)
between "$squeak" -30 -3 'level of the squeak, dBFS'
# Stick and slip repeat: the distances of partials are that tone.
between "$(awk '{ f[NR] = $1 } END { print f[2] - f[1] }' heard)" 680 700 'the tone, Hz'
# At rest only the last ringing is left.
"$lines" s.wav 3 3.2 4558 >heard
between "$(level 1)" -300 -100 'level of the squeak at rest, dBFS'

# As much friction at rest as in motion.
rubs --set static=0.3
below 'without more friction at rest'
equal "$(grep -c '"kind":"rub"' s.jsonl)" 0 'squeaks without more friction at rest'
# Faster than it squeaks.
rubs --set speed=0.3
equal "$(grep '"kind":"rub"' s.jsonl | grep -c '"t":0\.[5-9]')" 0 'squeaks of a fast slide'
# Off.
sed -i 's/squeak = 0.1/squeak = 0/' "$work/glass.lua"
rubs
below 'when it is off'
equal "$(grep -c '"kind":"rub"' s.jsonl)" 0 'squeaks when it is off'

# On a plate, which does not move along its surface, a block with more friction at
# rest scrapes as one without.
cat >"$work/block.lua" <<'END_OF_SCENE'
local sb = require "sandbell"
local static = sb.param("static", { min = 0.3, max = 2, default = 0.3 })
local is_oak = sb.param("oak", { min = 0, max = 1, default = 0 })() > 0.5
local FRICTION, SPEED, HIGH, THICKNESS = 0.3, 0.05, 0.02, 0.005
sb.listener { position = { 0, 0.4, 0.4 }, gain = 1 }
sb.body("pane", {
  shape    = sb.plate { width = 0.6, depth = 0.4, thickness = THICKNESS, support = "simply-supported" },
  material = "glass",
})
local block = sb.body("block", {
  shape    = sb.box { width = 0.05, height = HIGH, depth = 0.03 },
  material = is_oak and "oak" or "steel", motion = "free", mass = 0.3, restitution = 0,
  friction = FRICTION, mu_static = static(), position = { -0.2, (THICKNESS + HIGH) / 2, 0 },
})
function scene.update()
  local pull = sb.now() < 0.5 and 0 or FRICTION * 0.3 * 9.81 + 8 * (SPEED - block:velocity()[1])
  block:force { math.max(0, pull), 0, 0 }
end
END_OF_SCENE
for oak in 0 1; do
    for static in 0.3 0.8; do
        expect 0 render "$work/block.lua" -o b$static.wav --float --events b.jsonl --duration 1.5 --set static=$static --set oak=$oak
    done
    between "$(grep -c '"kind":"rub"' b.jsonl)" 1 10000 'reports of the squeak'
    between "$(awk -v a="$("$facts" level b0.8.wav 0.8 1.5)" -v b="$("$facts" level b0.3.wav 0.8 1.5)" 'BEGIN { print a - b }')" \
        -1 20 'level of a squeak, dB above that of the scrape alone'
done
finish
