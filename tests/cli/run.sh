#!/bin/sh
# SPDX-License-Identifier: MIT
# run: on the silent clock, and where there is no sound card.
. "$(dirname "$0")/lib.sh"

bell=$work/bell.lua
cat >"$bell" <<'END'
local sb = require "sandbell"
local bell = sb.body("bell", { shape = sb.modes { { 440, 0.3 }, { 1000, 0.3, 0.5 } } })
local bar = sb.body("bar", {
  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel", position = { 1, 0, 0 } })
sb.every(0.1, function() bell:strike { impulse = 0.01 * (1 + math.random()) } end)
sb.go(function()
  while true do
    sb.sleep(0.0771)
    bar:strike { speed = 0.5, at = { math.random(), math.random() } }
  end
end)
function scene.update() bar:place { math.sin(sb.now()), 0, 0 } end
END

# --- what a silent run records is what a render writes, byte for byte
expect 0 run "$bell" --backend null --for 1.5 --record r.wav
says err 'on silent clock (null), 48000 Hz'
says err 'played 1.50 s'
lines out 0
expect 0 render "$bell" --duration 1.5 -o d.wav
same r.wav d.wav
expect 0 run "$bell" --backend null --for 0.7 --record r.wav --rate 44100 --seed 5 --float
expect 0 render "$bell" --duration 0.7 -o d.wav --rate 44100 --seed 5 --float
same r.wav d.wav
expect 0 run "$bell" --backend null --for 0.3 --record r.flac
expect 0 render "$bell" --duration 0.3 -o d.flac
same r.flac d.flac
rm -f ./*

# --- without a sound card: one line reports it, and it goes on
# Neither a server nor a card can be reached with these. (A checked build would
# find what miniaudio leaves of a server it could not reach.)
no_sound() {
    env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" PULSE_SERVER=unix:"$work/none" PIPEWIRE_REMOTE="$work/none" JACK_NO_START_SERVER=1 \
        ALSA_CONFIG_PATH=/dev/null XDG_RUNTIME_DIR="$work" HOME="$work" "$sandbell" "$@" >"$out" 2>"$err" </dev/null
}
no_sound run "$bell" --for 0.1
equal $? 0 'exit code without a sound card'
says err '; going on with a silent clock'
lines err 3 # that, what plays, how it went
lines out 0
no_sound run "$bell" --for 0.1 --require-device
equal $? 5 'exit code with --require-device'
lines err 1
for backend in alsa pulseaudio jack; do
    no_sound run "$bell" --for 0.1 --backend "$backend"
    equal $? 0 "exit code of $backend without a sound card"
    lines err 3
    no_sound run "$bell" --for 0.1 --backend "$backend" --require-device
    equal $? 5 "exit code of $backend with --require-device"
    lines err 1
done
# With ALSA's own configuration, whose library prints many messages.
env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" PULSE_SERVER=unix:"$work/none" "$sandbell" run "$bell" --for 0.1 --backend alsa >"$out" 2>"$err" </dev/null
holds sh -c "! grep -qE 'ALSA lib|jack|Jack' '$err'"
env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" PULSE_SERVER=unix:"$work/none" "$sandbell" doctor >"$out" 2>"$err" </dev/null
lines err 0

expect 2 run "$bell" --backend nonsense
says err "unknown backend 'nonsense'; known are null, "
lines err 1
expect 5 run "$bell" --backend null --require-device
lines err 1
expect 2 run "$bell" --backend null --for 0.1 --record x.mp3
expect 2 run "$bell" --backend null --for 0.1 --rate 44100.5
nothing_left

# --- errors while it runs: each is reported once, the rest goes on, the exit code is 1
cat >"$work/broken.lua" <<'END'
local sb = require "sandbell"
function scene.update() error "broken update" end
sb.after(0.05, function() error "broken timer" end)
sb.after(0.2, function() print "still here" end)
END
expect 1 run "$work/broken.lua" --backend null --for 0.3
equal "$(grep -c 'broken.lua:2: broken update' "$err")" 1 'the update is parked'
says err '    2 | '
says err 'scene.update is not called until the next good save; the rest of the scene continues'
says err 'broken.lua:3: broken timer'
says out 'still here'
says err 'played 0.30 s'

# --- Ctrl-C: 130, and the recording up to there is whole
at_least() { # FRAMES WHAT: so much of a minute, and less than all
    between "$("$facts" wav r.wav | cut -d' ' -f3)" "$1" 2879999 "$2"
}
start run "$bell" --backend null --record r.wav >"$out" 2>"$err" &
pid=$!
await has_recorded 60000
kill -s INT "$pid"
wait "$pid"
equal $? 130 'exit code after SIGINT'
says err 'played '
at_least 9600 'frames recorded'
start run "$work/broken.lua" --backend null >"$out" 2>"$err" &
pid=$!
await has_text "$out" 'still here'
kill -s TERM "$pid"
wait "$pid"
equal $? 130 'exit code after SIGTERM'
rm -f r.wav
nothing_left

# --- the other signals that end a program: the recording is whole, too
for signal in TERM HUP QUIT XCPU; do
    start run "$bell" --backend null --for 60 --record r.wav >"$out" 2>"$err" &
    pid=$!
    await has_recorded 30000
    kill -s "$signal" "$pid"
    wait "$pid"
    equal $? 130 "exit code after SIG$signal"
    at_least 4800 "frames recorded until SIG$signal"
    rm -f r.wav
    nothing_left
done

# --- a full disk, as a limit on the size of files: the sound goes on, and what was recorded is kept
expect 0 render "$bell" --duration 0.9 -o whole.wav
(ulimit -f 200 && exec "$sandbell" run "$bell" --backend null --for 0.9 --record r.wav) >"$out" 2>"$err"
equal $? 3 'exit code of a recording that is short'
says err 'r.wav cannot be written: '
says err '; it holds the first 0.3'
says err 'played 0.90 s'
lines err 3
frames=$("$facts" wav r.wav | cut -d' ' -f3)
between "$frames" 16000 17100 'frames on the full disk'
holds cmp -i 44 -n $((6 * frames)) r.wav whole.wav
rm -f whole.wav r.wav
nothing_left

# --- Ctrl-C while a callback runs: the recording is whole, too
cat >"$work/busy.lua" <<'END'
local sb = require "sandbell"
local bell = sb.body("bell", { shape = sb.modes { { 440, 0.3 } } })
sb.every(0.1, function() bell:strike { impulse = 0.01 } end)
function scene.update()
  for i = 1, 1e5 do local _ = i * i end -- most of each step
end
END
for _ in 1 2 3; do
    start run "$work/busy.lua" --backend null --for 60 --record r.wav >"$out" 2>"$err" &
    pid=$!
    await has_recorded 30000
    kill -s INT "$pid"
    wait "$pid"
    equal $? 130 'exit code after SIGINT in a callback'
    says err 'interrupted: r.wav is short: '
    says err 'of 60 s'
    at_least 4800 'frames recorded until SIGINT in a callback'
    rm -f r.wav
done
nothing_left

# --- nothing that a script does ends the run: it fills the list of timers from
# a timer that repeats, and a contact finds no room for its callback
cat >"$work/good.lua" <<'END'
local sb = require "sandbell"
local bell = sb.body("bell", { shape = sb.modes { { 440, 0.3 } } })
function scene.reload() print "good again" end
END
cat >"$work/fill.lua" <<'END'
local sb = require "sandbell"
sb.body("floor", { shape = sb.floor {}, material = "steel" })
sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = { 0, 0.05, 0 } })
local function nothing() end
function scene.contact() end
function scene.start() print "at work" end
sb.every(0.01, function()
  for _ = 1, 5000 do
    if not pcall(sb.after, 1000, nothing) then break end
  end
end)
END
cp "$work/fill.lua" "$work/live.lua"
: >"$out"
start run "$work/live.lua" --backend null >"$out" 2>"$err" &
pid=$!
await has_text "$err" 'more than 50000 timers are waiting already'
cp "$work/good.lua" "$work/live.lua"
await has_text "$out" 'good again'
kill -s INT "$pid"
wait "$pid"
equal $? 130 'exit code of a script that fills the list of timers'
says out 'at work'

# --- a script that prints without end
cat >"$work/flood.lua" <<'END'
for i = 1, 20000 do print("load", i) end
function scene.update()
  for i = 1, 500 do print("line", i, ("x"):rep(100)) end
end
END
expect 0 run "$work/flood.lua" --backend null --for 2
between "$(wc -c <"$out")" 1000 300000 'bytes printed in 2 s'
says out 'load	1'
says out 'lines more'
says err 'lines more' # those of the load that were not kept
expect 0 render "$work/flood.lua" --duration 2 -o x.wav
grep -v '^x.wav' "$out" >"$work/first"
expect 0 render "$work/flood.lua" --duration 2 -o x.wav
grep -v '^x.wav' "$out" >"$work/second"
same "$work/first" "$work/second"
more=$(cat "$work/first" "$err" | awk '/^\.\.\. and/ { n += $3 } END { print n }')
equal "$(($(grep -cE '^(line|load)' "$work/first") + more))" "$((20000 + 500 * 201))" 'lines printed and left out'
rm -f x.wav

# --- a second start is quick: well under 0.3 s to the first line of Lua
echo 'print "here"' >"$work/here.lua"
"$sandbell" check "$work/here.lua" >"$out" 2>"$err" # warm
least=9999
for _ in 1 2 3 4 5; do
    from=$(date +%s%N)
    "$sandbell" check "$work/here.lua" --for 0.001 >"$out" 2>"$err"
    took=$((($(date +%s%N) - from) / 1000000))
    [ "$took" -lt "$least" ] && least=$took
done
echo "$name: $least ms from the start to the end of an empty scene"
between "$least" 0 300 'milliseconds of a start'
finish
