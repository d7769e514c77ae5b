#!/bin/sh
# SPDX-License-Identifier: MIT
# Files are written whole or not at all: full disks, forbidden folders, signals.
. "$(dirname "$0")/lib.sh"

bell=$work/bell.lua
put_scene 0.3 "$bell"
echo old >"$work/old"

# --- places where nothing can be written
expect 2 render "$bell" --duration 0.1 -o missing/a.wav
says err 'missing/a.wav cannot be written: its directory does not exist'
mkdir folder.wav
expect 3 render "$bell" --duration 0.1 -o folder.wav
says err 'folder.wav cannot be written: it is a directory'
rmdir folder.wav
ln -s nowhere.wav dangling.wav
expect 2 render "$bell" --duration 0.1 -o dangling.wav
rm dangling.wav
nothing_left
mkdir folder.png
expect 3 render "$bell" --duration 0.1 -o a.wav --spectrogram folder.png
says err 'folder.png cannot be written: it is a directory'
holds "$facts" wav a.wav # the sound was already whole
rm -r a.wav folder.png

# As a user without write permission. Root has it, so root changes its user.
mkdir locked && chmod 555 locked && chmod 755 "$work" "$work/here"
as_user=
if [ "$(id -u)" -eq 0 ]; then
    as_user='setpriv --reuid 65534 --regid 65534 --clear-groups'
    $as_user "$sandbell" --version >/dev/null 2>&1 || as_user=skip
fi
if [ "$as_user" != skip ]; then
    $as_user "$sandbell" render "$bell" --duration 0.1 -o locked/a.wav >"$out" 2>"$err"
    equal $? 3 'exit code in a locked folder'
    says err 'locked/a.wav cannot be written: Permission denied'
    nothing_left locked
    cp "$bell" "$work/secret.lua" && chmod 000 "$work/secret.lua"
    $as_user "$sandbell" check "$work/secret.lua" >"$out" 2>"$err"
    equal $? 1 'exit code of an unreadable scene'
    says err 'secret.lua: cannot be read'
    rm -f "$work/secret.lua"
else
    echo "$name: no other user can run the program here: locked folders are not tried"
fi
rmdir locked

# --- two outputs with one name, in any spelling, or an output that is an input
try_same() { # What is said, then the options.
    text=$1
    shift
    expect 2 render "$@"
    says err "$text"
    lines err 1
    lines out 0
}
cp "$bell" scene.lua
cat >with_module.lua <<'END'
require "scene"
END
ln -s . link
mkdir sub
try_same '--output and --events name the same file, x.wav' scene.lua --duration 0.1 -o x.wav --events x.wav
try_same '--output and --events name the same file, ./sub/../x.wav' scene.lua --duration 0.1 -o x.wav --events ./sub/../x.wav
try_same '--output and --poses name the same file' scene.lua --duration 0.1 -o x.wav --poses "$PWD/link/x.wav"
try_same '--output and --events name the same file, scene.wav' scene.lua --duration 0.1 --events scene.wav
try_same '--spectrogram and --spectrum name the same file' scene.lua --duration 0.1 -o x.wav --spectrogram x.png --spectrum link/x.png
try_same '--output and --events name the same file, -' scene.lua --duration 0.1 -o - --events -
try_same '--poses scene.lua would overwrite scene.lua' scene.lua --duration 0.1 -o x.wav --poses scene.lua
try_same '--events link/scene.lua would overwrite scene.lua' scene.lua --duration 0.1 -o x.wav --events link/scene.lua
try_same '--contacts scene.lua would overwrite ./scene.lua' with_module.lua --duration 0.1 -o x.wav --contacts scene.lua
echo 440 >lines.txt
try_same '--events and --lines name the same file' scene.lua --duration 0.1 -o x.wav --spectrum x.png --lines lines.txt --events lines.txt
same scene.lua "$bell"
equal "$(cat lines.txt)" 440 'the lines'
expect 2 run scene.lua --backend null --for 0.1 --record scene.lua
says err '--record scene.lua would overwrite scene.lua'
same scene.lua "$bell"
holds test ! -e x.wav
expect 2 modes scene.lua --plot y.png --merge-plot ./y.png
says err '--plot and --merge-plot name the same file'
expect 2 studio scene.lua --record y.jsonl --replay y.jsonl
says err '--record and --replay name the same file'
# Names that are made from others.
try_same '--film writes x.film.png, which --spectrogram names' scene.lua --duration 0.1 -o x.wav --film 2 --spectrogram link/x.film.png
expect 2 bake scene.lua -o t_%d.png --sheet t_12.png
says err '--sheet has a name that -o gives to the file of a mode'
expect 0 render scene.lua --duration 0.1 -o x.wav --stems --events x.bell.wav
says out 'x.bell-2.wav'
holds "$facts" wav x.bell-2.wav
holds grep -q '"t"' x.bell.wav
rm -f x.*
# Devices can be shared.
expect 0 render scene.lua --duration 0.1 -o x.wav --events /dev/null --poses /dev/null
rm -rf ./*

# --- a full disk, as a limit on the size of files (512-byte units)
cp "$work/old" a.wav
for case in 'a.wav 40' 'new.wav 40' 'new.flac 4'; do
    where=${case% *}
    (ulimit -f "${case#* }" && exec "$sandbell" render "$bell" --duration 2 -o "$where") >"$out" 2>"$err"
    equal $? 3 "exit code on a full disk ($where)"
    says err "$where"
    equal "$(grep -c '^sandbell: ' "$err")" 1 'sentences'
done
same a.wav "$work/old"
equal "$(ls -A)" a.wav 'what is left after a full disk'
(ulimit -f 8 && exec "$sandbell" render "$bell" --duration 0.02 -o b.wav --spectrogram b.png) >"$out" 2>"$err"
equal $? 3 'exit code on a full disk (picture)'
holds test ! -e b.png
rm -f b.wav
if [ -c /dev/full ]; then
    "$sandbell" render "$bell" --duration 0.1 -o - >/dev/full 2>"$err"
    equal $? 3 'exit code of a full standard output'
    for verb in help 'modes '"$bell" 'check '"$bell" doctor; do
        "$sandbell" $verb >/dev/full 2>"$err"
        equal $? 3 "exit code of $verb on a full standard output"
        says err 'writing to standard output failed'
    done
fi

# --- a closed standard output: what is a file is written, what is printed fails
"$sandbell" render "$bell" --duration 0.1 -o - >&- 2>"$err"
equal $? 3 'exit code of -o - with a closed standard output'
says err '- cannot be written: the standard output is closed'
lines err 1
for verb in help 'modes '"$bell" 'check '"$bell" doctor materials "render $bell --duration 0.1 --json -o b.wav"; do
    "$sandbell" $verb >&- 2>"$err"
    equal $? 3 "exit code of $verb with a closed standard output"
    says err 'writing to standard output failed'
done
expect 0 render "$bell" --duration 0.1 -o whole.wav
# With the other streams closed: neither messages nor results are put into files.
"$sandbell" render "$bell" --duration 0.1 -o b.wav >&- 2>"$err"
equal $? 0 'exit code of a file with a closed standard output'
says err 'b.wav: 0.10 s, peak'
same whole.wav b.wav
"$sandbell" render "$bell" --duration 0.1 -o b.wav >&- 2>&- <&-
equal $? 0 'exit code of a file with all streams closed'
same whole.wav b.wav
"$sandbell" new first >&- 2>"$err"
equal $? 0 'exit code of new with a closed standard output'
says err 'first/scene.lua is a first scene'
rm -rf first b.wav whole.wav

# --- Ctrl-C and kill: 130, and a file of what was rendered up to there
for signal in INT TERM HUP QUIT XCPU; do
    : >"$err"
    start render "$bell" --duration 36000 -o a.wav >"$out" 2>"$err" &
    pid=$!
    await test -s "$err"
    kill -s "$signal" "$pid"
    wait "$pid"
    equal $? 130 "exit code after SIG$signal"
    says err 'interrupted after '
    says err 's: a.wav is short'
    lines out 1
    equal "$(ls -A)" a.wav "what is left after SIG$signal"
    # The same bytes as of a render of that length.
    frames=$("$facts" wav a.wav | cut -d' ' -f3)
    between "$frames" 128 100000000 'frames of an interrupted render'
    expect 0 render "$bell" --duration "$(awk "BEGIN { printf \"%.9f\", $frames / 48000 }")" -o "$work/whole.wav"
    same a.wav "$work/whole.wav"
done

# --- what is ignored from the start stays ignored, as nohup and shells set it
rm -f a.wav
(trap '' HUP INT QUIT; exec "$sandbell" render "$bell" --duration 36000 -o a.wav >"$out" 2>"$err") &
pid=$!
for signal in HUP INT QUIT; do
    await has_recorded 1000000
    kill -s "$signal" "$pid"
    await has_recorded $(($(cat .sandbell-* | wc -c) + 1000000))
done
kill -s TERM "$pid"
wait "$pid"
equal $? 130 'exit code after SIGTERM, others ignored'
says err 's: a.wav is short'

cp "$work/old" a.wav
: >"$err"
start render "$bell" --duration 36000 -o a.wav >"$out" 2>"$err" &
pid=$!
await test -s "$err"
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
same a.wav "$work/old" # a killed program cannot clean up, but spoils nothing
rm -f .sandbell-*.tmp
equal "$(ls -A)" a.wav 'what is left after SIGKILL'

# An endless script can be interrupted, too, at any point.
echo 'print "at work" while true do end' >"$work/load.lua"
echo 'function scene.start() print "at work" while true do pcall(function() while true do end end) end end' >"$work/start.lua"
echo 'require("sandbell").go(function() print "at work" while true do end end)' >"$work/go.lua"
# ThreadSanitizer delays signals until the program calls a library, which a
# loop of Lua never does.
scripts='start go'
[ -n "${TSAN_OPTIONS-}" ] && scripts=
for verb in render check; do
    for script in $scripts; do
        : >"$err"
        : >"$out"
        start "$verb" "$work/$script.lua" >"$out" 2>"$err" &
        pid=$!
        if [ "$verb" = render ]; then await test -s "$out"; else await test -s "$err"; fi
        kill -s INT "$pid"
        wait "$pid"
        equal $? 130 "exit code of $verb $script.lua after SIGINT"
        says err interrupted
    done
done
# So can the check for overlaps at the start, and steps of a crowded world.
cat >"$work/pile.lua" <<'LUA'
local sb = require "sandbell"
local ball = sb.rigid { radius = 0.5 }
sb.body("floor", { shape = sb.floor(), material = "steel" })
for i = 1, 20000 do
    sb.body("ball" .. i, { shape = ball, material = "steel", motion = "free",
        position = { 0, 1, 0 } })
end
print "described"
LUA
for delay in 1 4; do
    : >"$out"
    start render "$work/pile.lua" -o pile.wav >"$out" 2>"$err" &
    pid=$!
    await test -s "$out"
    sleep "$delay"
    began=$(date +%s)
    kill -s INT "$pid"
    wait "$pid"
    equal $? 130 'exit code of a pile after SIGINT'
    between "$(($(date +%s) - began))" 0 5 'seconds until a pile has ended'
    rm -f pile.wav
done
equal "$(ls -A)" a.wav 'what is left after all'
expect 1 check "$work/load.lua"
# Of instructions or of milliseconds: it depends on the processor.
says err 'load.lua:1: more than 200'
says err 'without a pause: is there a loop without end?'
says err 'at work' # what it printed before it failed
finish
