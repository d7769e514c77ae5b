#!/bin/sh
# SPDX-License-Identifier: MIT
# bench: what it measures, its output formats, and plausible figures for falling
# rings, a crowd and a world at rest. The figures depend on the machine.
. "$(dirname "$0")/lib.sh"

expect 2 bench nothing
says err "'nothing' is not measured; known are modal_bank, live, modes, contacts, room, ears, directions, textures, world, motion, deformable, air, levels and first_sound"
expect 2 bench world --rings 0
says err '--rings'

expect 0 bench world --quick --rings 3 --json --plot rings.png
between "$(json world rings rings)" 3 3 'the rings'
between "$(json world rings events)" 3 1e4 'what is told of their contacts'
between "$(json world rings saving fps)" 10 1e7 'the frames per second'
between "$(json world bar saving)" 0.05 0.95 'what truncation saves of a bar'
between "$(json world crowd ten_loudest_worst_db)" 0 1 'how much the loudest differ'
between "$(json world rest silent_after_s)" 0.5 59 'when all are silent'
between "$(json world motion count)" 20 200 'the figures of motion'
for picture in rings rings_bar; do
    [ -s "$picture.png" ] || fault "$picture.png was not written"
done

# --- motion: figures beside their bounds
expect 2 bench motion --part nothing
says err "'nothing' is no part of bench motion; known are disk, lever"
expect 0 bench motion --part incline
says out '2 of 2 figures are within their bounds'
expect 0 bench motion --part drop --json
between "$(json motion within_bounds)" 3 3 'the times of bounces'

# --- deformable: the same for bodies that bend
expect 2 bench deformable --part nothing
says err "'nothing' is no part of bench deformable; known are solid, sheet"
expect 0 bench deformable --part energy --quick --json
between "$(json deformable within_bounds)" 2 2 'the energies that do not drift'
between "$(json deformable count)" 2 2 'the figures of energy'

# --- air: boundary elements against closed forms
expect 0 bench air --part disk --json
between "$(json air within_bounds)" 4 4 'the disks within their bounds'

# --- room: all rows, in both forms
expect 0 bench room
holds grep -q '^  and all bodies move ' "$out"
expect 0 bench room --json
says out '"images":	62'

# --- first_sound: every scene of the library, with an empty cache
mkdir -p library/scripts
put_scene 0.2 library/scripts/good.lua
echo 'error "bad"' >library/scripts/bad.lua
SANDBELL_LIBRARY=$PWD/library
export SANDBELL_LIBRARY
expect 0 bench first_sound
says out '1 failed'
holds grep -q '^  bad .* failed$' "$out"
holds grep -q '^  good .* -$' "$out"
expect 0 bench first_sound --json
says out '"scene":	"good"'
unset SANDBELL_LIBRARY

# The largest meshes of the scenes are solved once, with few unknowns.
expect 0 modes "$root/scripts/rings.lua" --limit 1 --json
says_not err 'solve 2'
most=$(sed -n 's/.*"dof":[^0-9]*\([0-9][0-9]*\).*/\1/p' "$out" | sort -n | tail -n 1)
between "$most" 1000 17000 'unknowns of the rings'
finish
