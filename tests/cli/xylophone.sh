#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/xylophone.lua: every die lands so that it is heard when its note is due,
# within 5 ms, on its own key; and the notes are those of the tune.
. "$(dirname "$0")/lib.sh"
scene=$root/scripts/xylophone.lua

# dice JSONL: one line per die, by its first impact: key, when it is due, what it struck,
# and when that is heard, 343 m/s and an ear at { 0, 0.55, 0.9 } later.
dice() {
    awk '
    /"kind":"impact"/ && match($0, /die for key [0-9]+ at [0-9.]+/) {
        die = substr($0, RSTART, RLENGTH)
        if (die in seen) next
        seen[die] = 1
        split(die, word, " ")
        match($0, /"key [0-9]+"/)
        key = substr($0, RSTART + 5, RLENGTH - 6)
        match($0, /"t":[0-9.e-]+/)
        t = substr($0, RSTART + 4, RLENGTH - 4)
        match($0, /"point":\[[^]]*/)
        split(substr($0, RSTART + 9, RLENGTH - 9), p, ",")
        far = sqrt(p[1] ^ 2 + (p[2] - 0.55) ^ 2 + (p[3] - 0.9) ^ 2)
        printf "%d %.4f %d %.6f\n", word[4], word[6], key, t + far / 343
    }' "$1" | sort -k2,2g -k1,1gr
}

# land SETTING: every die on its own key, in time.
land() {
    expect 0 render "$scene" -o x.wav --until-silent -60 --limit 40 --events x.jsonl --set "$1" --json
    dice x.jsonl >dice
    equal "$(wc -l <dice | tr -d ' ')" 108 "the dice with $1"
    equal "$(awk '$1 != $3' dice | wc -l | tr -d ' ')" 0 'dice on a wrong key'
    off=$(awk '{ d = $4 - $2; if (d < 0) d = -d; if (d > most) most = d } END { print most + 0 }' dice)
    between "$off" 0 0.005 "seconds that a die is off with $1"
    echo "$name: the worst of 108 dice is $off s off ($1)"
}
land gravity=1.62 # on the moon, too
land sixteenth=0.17
between "$(json peak_dbfs)" -30 -3 'the peak'
equal "$(json limiter_db)" 0 'what the limiter takes away'

# The score, in sixteenths from the first note, the higher of two first: its
# beginning and its end.
score=$(awk 'NR == 1 { first = $2 } { printf "%d:%.2f ", $1, ($2 - first) / 0.17 }' dice)
equal "$(echo "$score" | cut -d' ' -f1-14)" \
    '74:0.00 75:1.00 76:2.00 60:2.00 84:3.00 76:5.00 84:6.00 67:6.00 76:8.00 84:9.00 65:10.00 60:14.00 84:15.00 86:16.00' \
    'the first notes'
equal "$(echo "$score" | cut -d' ' -f106-108)" '86:120.00 84:122.00 60:122.00' 'the last notes'

# The first is heard, not only computed.
due=$(sed -n '1s/^[0-9]* \([0-9.]*\) .*/\1/p' dice)
expect 0 render "$scene" -o x.wav --duration "$(awk "BEGIN { print $due - 0.005 }")" --json
between "$(json peak_dbfs)" -201 -199 'the peak before the first note'
expect 0 render "$scene" -o x.wav --duration "$(awk "BEGIN { print $due + 0.005 }")" --json
between "$(json peak_dbfs)" -50 -3 'the peak at the first note'
finish
