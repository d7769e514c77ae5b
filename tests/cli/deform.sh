#!/bin/sh
# SPDX-License-Identifier: MIT
# Deformable bodies: equal bytes for any number of threads and after kill -9,
# real time from the cache, failures that keep what was computed.
. "$(dirname "$0")/lib.sh"

# A sheet and a block fall on a floor; a ball that rings falls on the sheet.
scene=$work/fall.lua
cat >"$scene" <<'END_SCENE'
local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 }, gain = 3 }
sb.body("floor", { shape = sb.floor {}, material = "concrete" })
sb.deformable("sheet", { shape = sb.plate { width = 0.2, depth = 0.1, thickness = 0.001 }, material = "steel",
  elements = 4, motion = "free", position = { 0, 0.014, 0 }, rotation = { 0, 0, 1, 0.1 } })
sb.deformable("block", { shape = sb.box { width = 0.02, height = 0.02, depth = 0.02 }, material = "rubber",
  elements = 1, motion = "free", position = { 0.15, 0.02, 0 } })
sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = { 0.02, 0.04, 0 } })
local hung = sb.deformable("hung", { shape = sb.bar { length = 0.1, width = 0.01, thickness = 0.01 }, material = "rubber",
  elements = 4, position = { 0, 0.3, 0 } })
function scene.start()
  sb.go(function()
    sb.sleep(0.0123)
    hung:strike { speed = 1, mass = 0.002 }
    hung:push { at = { u = 0.1, v = 0.5 }, force = { 0, 0.1, 0 }, duration = 0.01 }
  end)
end
END_SCENE

expect 0 render "$scene" --duration 0.12 --float -o whole.wav --threads 1
says err 'deformable bodies: '
says err 'of processor time per second of sound'
between "$("$facts" wav whole.wav | cut -d' ' -f4)" -60 -0.5 'the peak'

# --- modes are known of what is not driven
cat >driven.lua <<'END_SCENE'
local sb = require "sandbell"
local strip = { shape = sb.plate { width = 0.1, depth = 0.04, thickness = 0.001 }, material = "steel", elements = 4 }
local led, freed = sb.deformable("led", strip), sb.deformable("freed", strip)
function scene.start()
  local drive = { at = { u = 0, v = 0.5 }, displacement = { 0, 0, 0 }, times = { 0 }, values = { 0 } }
  led:drive(drive)
  drive.release = 0.001
  freed:drive(drive)
end
END_SCENE
expect 0 render driven.lua --duration 0.004 -o driven.wav --spectrogram driven.png
says err "no labels of 'led': a part of it is driven"
says_not err "no labels of 'freed'"

# --- behind a wall it is softer, from its first sound on
for occlusion in false true; do
    cat >hidden.lua <<END_SCENE
local sb = require "sandbell"
sb.world { occlusion = $occlusion }
sb.listener { position = { 0, 0, 0.3 }, gain = 100 }
sb.body("wall", { shape = sb.rigid {}, collider = { kind = "box", width = 3, height = 3, depth = 0.02 }, position = { 0, 0, 0.15 } })
local strip = sb.deformable("strip", { shape = sb.plate { width = 0.1, depth = 0.04, thickness = 0.001 }, material = "steel", elements = 4 })
function scene.start() strip:strike { speed = 1, mass = 0.002 } end
END_SCENE
    expect 0 render hidden.lua --duration 0.006 --float -o "hidden.$occlusion.wav"
done
open=$("$facts" wav hidden.false.wav | cut -d' ' -f4)
between "$("$facts" wav hidden.true.wav | cut -d' ' -f4) - ($open)" -50 -10 'behind a wall, dB'

# --- the same again: two threads, another rate has the same length
expect 0 render "$scene" --duration 0.12 --float -o two.wav --threads 2
same whole.wav two.wav
expect 0 render "$scene" --duration 0.12 --rate 44100 -o other.wav --resume
equal "$("$facts" wav other.wav | cut -d' ' -f1-3)" '44100 2 5292' 'rate, channels, frames'

# --- killed at any moment, then resumed: the same bytes
for after in 0.2 0.5 0.9 1.4; do
    rm -rf "$SANDBELL_CACHE/deform" killed.wav
    start render "$scene" --duration 0.12 --float -o killed.wav --checkpoint 0.05 >/dev/null 2>&1 &
    pid=$!
    sleep "$after"
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    expect 0 render "$scene" --duration 0.12 --float -o killed.wav --resume
    same whole.wav killed.wav
done

# --- what was computed is not computed again, and can go on for longer
expect 0 render "$scene" --duration 0.12 --float -o again.wav --resume
says err 'deformable bodies: read up to 0.1'
same whole.wav again.wav
expect 0 render "$scene" --duration 0.14 --float -o longer.wav --resume
expect 0 render "$scene" --duration 0.14 --float -o afresh.wav
same longer.wav afresh.wav
sed 's/speed = 1,/speed = 2,/' "$scene" >"$work/faster.lua"
expect 0 render "$work/faster.lua" --duration 0.05 -o faster.wav --resume
says err 'no checkpoint of this scene was found'

# --- interrupted: said, and resumed
rm -rf "$SANDBELL_CACHE/deform"
has_checkpoint() { [ -n "$(find "$SANDBELL_CACHE/deform" -name '*.state')" ]; }
(
    start render "$scene" --duration 5 -o stopped.wav --checkpoint 0.05 2>"$work/stopped" >/dev/null &
    pid=$!
    await has_checkpoint
    kill -INT "$pid"
    wait "$pid"
    echo $? >"$work/code"
)
equal "$(cat "$work/code")" 130 'exit code of an interrupted render'
holds grep -q 'with --resume goes on from there' "$work/stopped"

# --- a disk that is full in the middle: said, no half file, and the next one works
(
    ulimit -f 40 # blocks of 512 bytes: less than the sound or the journal needs
    "$sandbell" render "$scene" --duration 0.12 --float -o full.wav >"$out" 2>"$err"
    echo $? >"$work/code"
)
equal "$(cat "$work/code")" 3 'exit code with a full disk'
says err 'full.wav cannot be written'
says err 'the work goes on, but it cannot be resumed'
holds [ ! -e full.wav ]
expect 0 render "$scene" --duration 0.12 --float -o full.wav --resume
same whole.wav full.wav

# --- modes instead
expect 0 render "$scene" --duration 0.1 -o linear.wav --linear
says_not err 'deformable bodies: '
says err '--linear: body:push has no counterpart'

# --- in real time: computed first, then from the cache
rm -rf "$SANDBELL_CACHE/deform"
expect 0 run "$scene" --for 0.1 --backend null --record live.wav --float
says err 'they are computed first, then played'
expect 0 run "$scene" --for 0.1 --backend null --record again.wav --float
says_not err 'computed first'
same live.wav again.wav
expect 0 render "$scene" --duration 0.1 --float -o offline.wav --resume
same live.wav offline.wav

# --- without a cache: rendered, but not in real time
SANDBELL_CACHE=off
expect 0 render "$scene" --duration 0.05 -o uncached.wav
expect 3 run "$scene" --for 0.05 --backend null
says err 'played from the cache, and there is none'
SANDBELL_CACHE=$work/cache

# --- one that begins inside another is refused
sed 's/position = { 0, 0.014, 0 }/position = { 0, 0.01, 0 }/' "$scene" >"$work/inside.lua"
expect 1 render "$work/inside.lua" --duration 0.1 -o inside.wav
says err "deformable body 'sheet' begins "
says err "inside body 'floor'"

# --- a body that is torn: a sentence, and the sound until then
cat >"$work/torn.lua" <<'END_SCENE'
local sb = require "sandbell"
local block = sb.deformable("block", { shape = sb.box { width = 0.02, height = 0.02, depth = 0.02 }, material = "rubber", elements = 2 })
function scene.start()
  sb.after(0.05, function() block:strike { speed = 900, mass = 10 } end)
end
END_SCENE
expect 4 render "$work/torn.lua" --duration 1 -o torn.wav
says err 'block'
says err 'what was computed until then is kept'
between "$("$facts" wav torn.wav | cut -d' ' -f3)" 1000 20000 'frames of what was kept'

finish
