#!/bin/sh
# SPDX-License-Identifier: MIT
# soak.sh PROGRAM FACTS ROOT WAV_LEVEL: a scene with a world, contacts and timers
# runs for MINUTES (default 15) and is recorded. It is edited every second; every
# minute its sound device is lost and comes back, where a PulseAudio server can be
# started, else it plays on the silent clock. Prints memory, threads, descriptors,
# mean and peak. Fails unless memory, threads and descriptors are flat from the
# second fifth to the last, all samples are finite, the mean is below -60 dBFS and
# the peak below 0 dBFS.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/../engine/output/sound_server.sh"
wav_level=$4 minutes=${MINUTES-15}
server='' player=''
clean_up() {
    [ -n "$player" ] && kill "$player" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    wait
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

write_scene() { # NUMBER of the edit; every eighth is an error
    cat >next.lua <<END
local sb = require "sandbell"
sb.world { gravity = { 0, -9.81, 0 } }
sb.body("floor", { shape = sb.floor {}, material = "oak" })
local bar = sb.body("bar", { material = "steel",
  shape = sb.bar { length = 0.$((200 + $1 % 7)), width = 0.03, thickness = 0.006 }, position = { 0, 0.5, 0 } })
local plate = sb.body("plate", { material = "glass", position = { 0.5, 0.4, 0 },
  shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.00$((4 + $1 % 3)) } })
local balls = {}
for i = 1, 6 do
  balls[i] = sb.body("ball" .. i, { material = i % 2 == 0 and "steel" or "glass", motion = "free",
    shape = sb.sphere { radius = 0.01 + 0.002 * i }, position = { 0.1 * i - 0.3, 0.3, 0.1 } })
end
function scene.start()
  bar:contact { kind = "rub", force = 0.3, speed = 0.1 }
  plate:contact { kind = "roll", force = 1, speed = 0.3 }
end
sb.every(0.5, function()
  balls[math.random(6)]:place { 0.6 * math.random() - 0.3, 0.3, 0.1 }
end)
sb.every(0.3, function() bar:strike { speed = 1, at = { math.random(), 0.5 } } end)
function scene.update() plate:place { 0.5 * math.sin(sb.now()), 0.4, 0 } end
END
    [ $(($1 % 8)) -ne 7 ] || echo 'local x = = 1' >>next.lua
    mv next.lua scene.lua
}

backend=null
add_sink() { sink=$(pactl load-module module-null-sink sink_name=nowhere rate=48000 channels=2 norewinds=1); }
start_server error && add_sink && backend=pulseaudio

facts_of() { # memory in kB, threads, descriptors
    echo "$(awk '/VmRSS/ { print $2 }' "/proc/$player/status")" \
        "$(find "/proc/$player/task" -maxdepth 1 -mindepth 1 | wc -l)" \
        "$(find "/proc/$player/fd" -maxdepth 1 -mindepth 1 | wc -l)"
}

write_scene 0
seconds=$((minutes * 60))
echo "$minutes minutes on $backend"
echo '  second  memory, kB  threads  descriptors'
"$sandbell" run scene.lua --backend $backend --for $seconds --float --record a.wav >"$out" 2>"$err" </dev/null &
player=$!
begun=$(date +%s) edits=0 losses=0 early='' late='' shown=-1
# The least of each number: a load that is under way takes memory and a thread.
least() { # OLD NEW
    echo "${1:-$2} $2" | awk '{ for (i = 1; i < 4; i++) printf "%d ", $i < $(i + 3) ? $i : $(i + 3) }'
}
while kill -0 $player 2>/dev/null; do
    edits=$((edits + 1))
    write_scene $edits
    sleep 1
    now=$(($(date +%s) - begun))
    if [ $backend = pulseaudio ] && [ $((now / 60)) -gt $losses ]; then
        losses=$((losses + 1))
        pactl unload-module "$sink"
        sleep 3
        add_sink
        sleep 5
    fi
    sample=$(facts_of 2>/dev/null)
    [ "$(echo "$sample" | wc -w)" -eq 3 ] || continue
    part=$((5 * now / seconds))
    [ $part -eq 1 ] && early=$(least "$early" "$sample")
    [ $part -ge 4 ] && late=$(least "$late" "$sample")
    # shellcheck disable=SC2086 # three words
    [ $((now / 60)) -eq $shown ] || printf '%8d  %10d  %7d  %11d\n' $now $sample
    shown=$((now / 60))
done
wait $player
equal $? 0 'exit code'
player=''
if [ -z "$early" ] || [ -z "$late" ]; then
    fault 'it ended before it was measured'
    finish
fi
echo "  $edits edits, $losses losses of the device"
echo "  least memory, threads, descriptors: $early in the second fifth, $late in the last"
# shellcheck disable=SC2086
set -- $early $late
between "$4" 0 $(($1 + $1 / 20 + 2000)) 'memory at the end, kB'
between "$5" 0 "$2" 'threads at the end'
between "$6" 0 "$3" 'descriptors at the end'
# shellcheck disable=SC2046
set -- $("$wav_level" a.wav)
echo "  $1 frames, mean $2 dBFS, peak $3 dBFS, $4 samples not finite"
between "$1" $((seconds * 48000 * 9 / 10)) $((seconds * 48000 * 11 / 10)) 'frames'
between "$2" -201 -60 'mean'
between "$3" -60 -0.01 'peak'
equal "$4" 0 'samples that are not finite'
finish
