#!/bin/sh
# SPDX-License-Identifier: MIT
# faults.sh PROGRAM FACTS ROOT SHIM RELOAD_ONCE: write, fsync, rename and open
# fail, one call after the other, and the program is killed at such calls: in a
# render, in a reload and in a solve, each with a cold cache.
#
# Every run ends with a sentence and an exit code from 1 to 5, or as if nothing
# had happened; never by a signal. A file under its final name is whole. The next
# run, without a fault, works.
#
#     STEP=5    every fifth call, and every fifth kill
#     KILLS=10  kills at random moments
. "$(dirname "$0")/../cli/lib.sh"
shim=$4 reload_once=$5
STEP=${STEP-1} KILLS=${KILLS-10}
# Sums in one order: a solve then has the same bytes.
export OPENBLAS_NUM_THREADS=1
# Under AddressSanitizer its library comes first in any case.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0"

cp "$root/tests/meshes/good/cube.obj" .
cat >scene.lua <<END
local sb = require "sandbell"
local plate = sb.body("plate", { material = "steel", shape = sb.plate {
  width = 0.3, depth = 0.2, thickness = 0.004, method = "shell", elements = 4, max_hz = 3000 } })
local cube = sb.body("cube", { material = "oak",
  shape = sb.mesh("cube.obj", { method = "solid", elements = 3, scale = 0.1 }) })
function scene.start()
  plate:strike { impulse = 0.1 }
  cube:strike { impulse = 0.1 }
end
END

run() { # JOB: sets $code
    rm -rf made && mkdir made
    case $1 in
    render) set -- "$sandbell" render scene.lua --duration 0.1 -o made/a.wav --spectrogram made/a.png ;;
    solve) set -- "$sandbell" modes cube.obj --material oak --scale 0.1 --method solid --elements 3 --export made/a.modal ;;
    reload) set -- "$reload_once" scene.lua ;;
    esac
    command="($job, $call $at) $*"
    "$@" >"$out" 2>"$err" </dev/null
    code=$?
}

with_fault() { # JOB CALL N ERRNO
    rm -rf "$SANDBELL_CACHE" mark
    export FAULT_CALL="$2" FAULT_AT="$3" FAULT_ERROR="$4" FAULT_MARK="$PWD/mark"
    LD_PRELOAD=$shim run "$1" 2>>"$work/shell"
    unset FAULT_CALL FAULT_AT FAULT_ERROR FAULT_MARK
}

# All files of the folder $2 are equal to those of the same names in $1. A model
# notes the seconds that it took: it has the same size, and its checksums hold.
whole() {
    [ -d "$2" ] || return 0
    for file in "$2"/*; do
        other=$1/$(basename "$file")
        case $file in
        *.modal)
            equal "$(wc -c <"$file")" "$(wc -c <"$other")" "size of $file"
            holds "$sandbell" modes "$file" --material oak --limit 1
            ;;
        *) [ ! -f "$file" ] || same "$other" "$file" ;;
        esac
    done
}

at=0 call=none
for job in render solve reload; do
    rm -rf "$SANDBELL_CACHE"
    run $job
    equal "$code" 0 'exit code without a fault'
    rm -rf "whole-$job" "cache-$job"
    mv made "whole-$job"
    cp -r "$SANDBELL_CACHE" "cache-$job" 2>/dev/null
done

works_again() {
    at=after
    run "$job"
    equal "$code" 0 "exit code of the next run"
    equal "$(ls made)" "$(ls "whole-$job")" 'files of the next run'
    whole "whole-$job" made
}

# ENOSPC 28, EIO 5, EMFILE 24; 0 kills.
for job in render solve reload; do
    for call in write fsync rename open; do
        for error in 5 0; do
            [ $call-$error = write-5 ] && error=28
            [ $call-$error = open-5 ] && error=24
            number=1
            while :; do
                at=$number
                with_fault $job $call $number $error
                [ -e mark ] || break
                if [ "$error" -eq 0 ]; then
                    # Or only the reader of meshes was killed, which is told.
                    if [ "$code" -eq 1 ] || [ "$code" -eq 3 ]; then
                        says err '(signal 9)'
                    else
                        equal "$code" 137 'exit code when killed'
                    fi
                else
                    between "$code" 0 5 'exit code'
                    if [ "$code" -eq 0 ]; then
                        equal "$(ls made)" "$(ls "whole-$job")" 'files of a success'
                    else
                        holds test -s "$err"
                    fi
                    [ -z "$(find made "$SANDBELL_CACHE" -name '.*.tmp' 2>/dev/null)" ] ||
                        fault 'a temporary file is left'
                fi
                whole "whole-$job" made
                whole "cache-$job" "$SANDBELL_CACHE"
                [ "$code" -eq 0 ] || works_again
                number=$((number + STEP))
            done
            [ $number -gt 1 ] || fault "no $call in $job"
        done
    done
done

# Kills at random moments, of the cache's writes and of renders.
seed=${SEED-7} call=kill number=0
while [ $number -lt "$KILLS" ]; do
    number=$((number + 1)) job=render at=$number
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    rm -rf "$SANDBELL_CACHE" made && mkdir made
    "$sandbell" render scene.lua --duration 0.1 -o made/a.wav --spectrogram made/a.png >"$out" 2>"$err" &
    victim=$!
    sleep "0.$(printf %03d $((seed / 65536 % ${KILL_MS-150})))"
    kill -9 $victim 2>/dev/null
    wait $victim 2>/dev/null
    whole whole-render made
    whole cache-render "$SANDBELL_CACHE"
    works_again
done

# A full disk: no file can grow beyond 8 kB.
job=render call=limit at=8
rm -rf "$SANDBELL_CACHE"
code=$(trap '' XFSZ; ulimit -f 16; run render >/dev/null 2>&1; echo $code)
between "$code" 1 5 'exit code on a full disk'
whole whole-render made
whole cache-render "$SANDBELL_CACHE"
works_again

# Disks of some kB, with the cache and the output, where such a thing may be mounted.
call=disk
for size in 4 16 40 60 100 1000; do
    unshare -rm true 2>/dev/null || { echo 'a disk that is full is left out: no unshare'; break; }
    at=${size}k command="($job, disk of $at)"
    rm -rf small after && mkdir small after
    unshare -rm sh -c '
        mount -t tmpfs -o size="$1" none small || exit 99
        SANDBELL_CACHE=$PWD/small/cache "$2" render scene.lua --duration 0.1 -o small/a.wav \
            --spectrogram small/a.png >"$3" 2>"$4" </dev/null
        code=$?
        cp -a small/. after
        exit $code' sh $at "$sandbell" "$out" "$err"
    code=$?
    between "$code" 0 5 'exit code on a small disk'
    if [ "$code" -eq 0 ]; then
        equal "$(ls -I cache after)" "$(ls whole-render)" 'files of a success'
    else
        holds test -s "$err"
    fi
    [ -z "$(find after -name '.*.tmp')" ] || fault 'a temporary file is left'
    whole whole-render after
    whole cache-render after/cache
    echo "a disk of $at: code $code $(grep -m1 cannot "$err")"
done

# Two programs on one cache.
rm -rf "$SANDBELL_CACHE" first second && mkdir first second
for folder in first second; do
    "$sandbell" render scene.lua --duration 0.1 -o $folder/a.wav >"$out" 2>"$err" &
done
wait
same whole-render/a.wav first/a.wav
same whole-render/a.wav second/a.wav
whole cache-render "$SANDBELL_CACHE"
finish
