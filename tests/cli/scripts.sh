#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts.sh PROGRAM FACTS ROOT [PART PARTS]: every scene in scripts/ is checked
# and rendered. It must be audible, must not clip and must end in silence. PART
# of 1 to PARTS takes each PARTS-th scene, so that the parts can run in parallel.
# `check` fills the cache of solved models (lib.sh), which the render then reads.
# Part 1 also renders a scene twice and runs luacheck where it is installed.
. "$(dirname "$0")/lib.sh"
part=${4-1} parts=${5-1}

scenes=0 number=0
for scene in "$root"/scripts/*.lua; do
    number=$((number + 1))
    [ $((number % parts)) -eq $((part % parts)) ] || continue
    scenes=$((scenes + 1))
    scene_name=$(basename "$scene" .lua)
    # A scene without an end is cut after a while; one with deformable bodies after
    # an eighth of a second, and under a sanitizer after a moment, before it sounds.
    length="--until-silent -60 --limit ${SCENE_SECONDS-20}" options='' loud=-40 is_cut=
    if is_deformable "$scene"; then
        length='--until-silent -60 --limit 0.125' options=$(few "$scene")
        if [ -n "${SCENE_SECONDS-}" ]; then length='--duration 0.01' loud=-200 is_cut=1; fi
    fi
    # shellcheck disable=SC2086 # a list of words
    expect 0 check "$scene" $options
    # shellcheck disable=SC2086
    expect 0 render "$scene" -o "$scene_name.wav" $length $options --json
    between "$(json peak_dbfs)" "$loud" -0.05 "the peak of $scene_name"
    between "$(json bodies)" 1 1e6 "the bodies of $scene_name"
    case $scene_name in billiards | dice) rings=0 ;; *) rings=1 ;; esac # clicks are no modes
    between "$(json modes)" "$rings" 1e9 "the modes of $scene_name"
    if [ -z "$is_cut" ] && ! grep -q 'still sounding' "$err"; then
        between "$("$facts" wav "$scene_name.wav" | cut -d' ' -f5)" -200 -60 "the end of $scene_name"
    fi
    rm -f "$scene_name.wav"
done
[ "$scenes" -gt 0 ] || fault 'there are no scenes'
[ "$part" -eq 1 ] || finish

# The same scene, the same bytes.
expect 0 render "$root/scripts/hello.lua" --duration 1 -o a.wav
expect 0 render "$root/scripts/hello.lua" --duration 1 -o b.wav
same a.wav b.wav

if command -v luacheck >/dev/null; then
    holds luacheck --quiet --config "$root/.luacheckrc" "$root"/scripts/*.lua
else
    echo "$name: luacheck is not installed: style is not checked"
fi
finish
