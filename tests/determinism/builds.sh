#!/bin/sh
# SPDX-License-Identifier: MIT
# builds.sh ROOT WORK WAV_LEVEL: builds the program with gcc at -O1, -O2 and
# -O3 and with clang, renders some scenes with each, and compares them with the
# first: equal bytes, or samples that differ by less than -100 dB of the peak.
# BUILDS and SCENES select some of them: BUILDS='gcc-O2 clang-O2'.
root=$1 work=$2 wav_level=$3
builds=${BUILDS-gcc-O2 gcc-O1 gcc-O3 clang-O2}
scenes=${SCENES-hello coin scrape marimba_textures doppler}
# Sums in one order, and no models that another build has solved.
export OPENBLAS_NUM_THREADS=1 SANDBELL_CACHE=off
faults=0 first=''
mkdir -p "$work"
for build in $builds; do
    folder=$work/$build
    command -v "${build%-O*}" >/dev/null || { echo "$build is skipped: there is no ${build%-O*}"; continue; }
    cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSANDBELL_TESTS=OFF \
        -DCMAKE_C_COMPILER="${build%-O*}" -DCMAKE_C_FLAGS_RELEASE="-${build#*-}" >"$folder.log" 2>&1 &&
        cmake --build "$folder" --target sandbell >>"$folder.log" 2>&1 || { tail -5 "$folder.log"; exit 1; }
    for scene in $scenes; do
        "$folder/bin/sandbell" render "$root/scripts/$scene.lua" --float --duration 2 -o "$folder/$scene.wav" \
            >"$folder.out" 2>&1 || { cat "$folder.out"; exit 1; }
        [ -n "$first" ] || continue
        if cmp -s "$first/$scene.wav" "$folder/$scene.wav"; then
            printf '%-10s %-20s equal bytes\n' "$build" "$scene"
        else
            off=$("$wav_level" "$first/$scene.wav" "$folder/$scene.wav")
            word=$(awk "BEGIN { print $off < -100 ? \"\" : \"FAULT\" }")
            printf '%-10s %-20s %s dB %s\n' "$build" "$scene" "$off" "$word"
            [ -z "$word" ] || faults=$((faults + 1))
        fi
    done
    [ -n "$first" ] || first=$folder
done
[ $faults -eq 0 ]
