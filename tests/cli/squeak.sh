#!/bin/sh
# squeaking_glass.lua: what slides slowly sticks and slips where static friction is
# above kinetic friction, and only there.
. "$(dirname "$0")/lib.sh"
lines=$4

# rubs OPTIONS: render the first push, from 0.2 to 1.2 s, and the rest after it.
# lines: "Hz dB dBFS" of the tone, of its octave, and of its loud partial.
rubs() {
    expect 0 render "$work/glass.lua" -o s.wav --events s.jsonl --duration 1.6 "$@"
    "$lines" s.wav 0.5 1.1 694 1388 7790 >heard
}
level() { sed -n "$1p" heard | cut -d' ' -f3; }
# below WHAT: the loud partial is far below the squeak's.
below() { between "$(awk -v a="$(level 3)" -v b="$squeak" 'BEGIN { print a - b }')" -300 -25 "level $1, dB above that of the squeak"; }

cp "$root/scripts/squeaking_glass.lua" "$work/glass.lua"
rubs
between "$(sed -n 's/.*"t":\([0-9.]*\),"kind":"rub".*"phase":"begin".*/\1/p' s.jsonl | head -n 1)" 0.2 0.24 'begin of the squeak'
between "$(sed -n 's/.*"t":\([0-9.]*\),"kind":"rub".*"phase":"end".*/\1/p' s.jsonl | tail -n 1)" 1.2 1.26 'end of the squeak'
squeak=$(level 3)
between "$squeak" -30 -3 'level of the squeak, dBFS'
# Stick and slip repeat: partials are multiples of one tone.
between "$(awk '{ f[NR] = $1 } END { print f[2] / f[1] }' heard)" 1.999 2.001 'octave of the tone'
# At rest only the last ringing is left.
"$lines" s.wav 1.4 1.6 7790 >heard
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
finish
