#!/bin/sh
# SPDX-License-Identifier: MIT
# test_pulse.sh SANDBELL FIND_PITCHES: a scene played into a real sound server.
#
# Starts a PulseAudio server of our own with one sink that goes nowhere, plays
# a scene into it, records what comes out of the sink, and looks for the
# scene's pitches there. Where no server can start, says why and exits with 77,
# which ctest shows as skipped.
. "$(dirname "$0")/sound_server.sh"
sandbell=$1 find_pitches=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/sandbell-pulse-XXXXXX") || exit 2
server='' recorder=''
clean_up() {
    [ -n "$recorder" ] && kill "$recorder" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    wait
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

skip() {
    echo "skipped: $*"
    [ -s "$work/server.log" ] && sed 's/^/  server | /' "$work/server.log" | tail -5
    exit 77
}
fail() {
    echo "failed: $*"
    for log in server run recorder; do
        [ -s "$work/$log.log" ] && sed "s/^/  $log | /" "$work/$log.log" | tail -8
    done
    exit 1
}

command -v parecord >/dev/null || skip 'parecord is not installed (Debian: pulseaudio-utils)'
start_server warning \
    -L 'module-null-sink sink_name=nowhere rate=48000 channels=2 sink_properties=device.description=Nowhere' ||
    skip "$no_server"

cat >"$work/scene.lua" <<'END'
local sb = require "sandbell"
local chord = sb.body("chord", { shape = sb.modes { { 440, 4 }, { 1000, 4, 0.7 }, { 2345.6, 4, 0.5 } } })
sb.every(0.5, function() chord:strike { impulse = 0.1 } end)
END

parecord --device=nowhere.monitor --rate=48000 --channels=2 --format=s16le --file-format=wav \
    --latency-msec=50 "$work/heard.wav" >"$work/recorder.log" 2>&1 &
recorder=$!
sleep 0.3
"$sandbell" run "$work/scene.lua" --backend pulseaudio --device Nowhere --require-device --for 3 >"$work/run.out" \
    2>"$work/run.log" </dev/null
code=$?
kill -s INT "$recorder" 2>/dev/null
wait "$recorder" 2>/dev/null
recorder=''

[ "$code" -eq 0 ] || fail "sandbell run ended with code $code"
grep -q '(pulseaudio)' "$work/run.log" || fail 'it was not played on pulseaudio'
grep -qE 'late commands|played' "$work/run.log" || fail 'it does not say how it went'
tail -1 "$work/run.log"
# Well below what anyone hears; a busy machine may leave a gap in the recording.
"$find_pitches" "$work/heard.wav" 4 440 1000 2345.6 || fail 'the pitches are not in the recording'

# A name that no device has is said in one line.
"$sandbell" run "$work/scene.lua" --backend pulseaudio --device Elsewhere --require-device --for 1 \
    >"$work/run.out" 2>"$work/run.log" </dev/null
[ $? -eq 5 ] || fail 'a device that is not there must end with code 5'
[ "$(wc -l <"$work/run.log")" -eq 1 ] || fail 'a device that is not there must be told in one line'
"$sandbell" doctor >"$work/run.log" 2>&1 || fail 'doctor'
grep -q 'pulseaudio *Nowhere' "$work/run.log" || fail 'doctor does not list the sink'
