#!/bin/sh
# SPDX-License-Identifier: MIT
# coin.lua: the coin falls as world.md's exact integration does, and in its last
# second a whirr rises with the precession, Omega^2 = 4 g / (r sin a).
. "$(dirname "$0")/lib.sh"
whirr=$4

# tilts: "seconds radians" of the coin's axis. With the turn by the angle t about
# the unit vector (x, y, z), its height is cos t + y^2 (1 - cos t).
tilts() {
    sed -n 's/.*"t":\([0-9.]*\),.*"rotation":\[\([^]]*\)\].*/\1,\2/p' p.jsonl |
        awk -F, '{
            up = cos($5) + $3 * $3 * (1 - cos($5)); side = sqrt(1 - up * up)
            print $1, atan2(side, up < 0 ? -up : up)
        }'
}
# when DEGREES: the time at which the tilt falls below.
when() { awk -v a="$1" '$2 < a * 3.14159265359 / 180 { print $1; exit }' tilts; }
# turns RADIUS FROM TO: "seconds turns" by the law.
turns() {
    awk -v r="$1" -v from="$2" -v to="$3" '$1 >= from && $1 <= to {
        f = sqrt(4 * 9.81 / (r * sin($2))) / 6.28318530718
        if (n++) sum += 0.5 * (f + before) * ($1 - time)
        print $1, sum + 0; before = f; time = $1
    }' tilts
}

# coin RADIUS OPTIONS: render it; the last second must whirr.
coin() {
    radius=$1
    shift
    expect 0 render "$root/scripts/coin.lua" -o c.wav --events e.jsonl --poses p.jsonl "$@"
    tilts >tilts
    end=$(when 0.02)
    from=$(awk -v t="$end" 'BEGIN { print t - 1.2 }') to=$(awk -v t="$end" 'BEGIN { print t - 0.2 }')
    turns "$radius" "$from" "$to" | "$whirr" c.wav >heard
    between "$(cut -d' ' -f1 heard)" 0.93 1.03 'pitch of the whirr, of the law'
    between "$(cut -d' ' -f2 heard)" 8 60 'dB by which its harmonics stand out'
    equal "$(grep -c '"kind":"impact"' e.jsonl)" 0 'impacts of a coin that rolls'
    between "$("$facts" wav c.wav | cut -d' ' -f4)" -30 -3 'peak, dBFS'
}

coin 0.012
between "$(when 10)" 2.97 3.04 'seconds to 10 degrees, exact 3.002'
between "$(when 5)" 4.32 4.41 'seconds to 5 degrees, exact 4.363'
between "$(when 2)" 5.50 5.62 'seconds to 2 degrees, exact 5.560'
between "$(when 1)" 6.09 6.22 'seconds to 1 degree, exact 6.153'
coin 0.016 --set radius=16 --set tilt=40 --set lever=0.05

# The speed of the contact follows from the motion: it has no gaps.
expect 0 render "$root/scripts/coin.lua" -o c.wav --events e.jsonl --poses p.jsonl --set radius=30 --set tilt=20 --set lever=0.1
tilts >tilts
gap=$(sed -n 's/.*"t":\([0-9.]*\),"kind":"roll".*"speed_b":\([0-9.e-]*\),.*/\1 \2/p' e.jsonl |
    awk -v to="$(when 0.4)" '$1 < to { if (n++ && $2 < least * before) least = $2 / before; before = $2 }
        BEGIN { least = 1 } END { print (n > 500 ? least : 0) }')
between "$gap" 0.85 1 'least speed of the contact, of that 10 ms before'
finish
