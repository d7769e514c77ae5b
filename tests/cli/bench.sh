#!/bin/sh
# bench: what it measures, its output formats, and plausible figures for falling
# rings, a crowd and a world at rest. The figures depend on the machine.
. "$(dirname "$0")/lib.sh"

expect 2 bench nothing
says err "'nothing' is not measured; known are modal_bank, live, modes, contacts, textures, world and levels"
expect 2 bench world --rings 0
says err '--rings'

expect 0 bench world --quick --rings 3 --json --plot rings.png
between "$(json world rings rings)" 3 3 'the rings'
between "$(json world rings impacts)" 3 1e4 'their impacts'
between "$(json world rings saving fps)" 10 1e7 'the frames per second'
between "$(json world bar saving)" 0.05 0.95 'what truncation saves of a bar'
between "$(json world crowd ten_loudest_worst_db)" 0 1 'how much the loudest differ'
between "$(json world rest silent_after_s)" 0.5 59 'when all are silent'
for picture in rings rings_bar; do
    [ -s "$picture.png" ] || fault "$picture.png was not written"
done
finish
