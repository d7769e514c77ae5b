#!/bin/sh
# Every scene in scripts/ is checked and rendered: heard, not clipped, and quiet
# in the end. With luacheck where that is installed.
. "$(dirname "$0")/lib.sh"

scenes=0
for scene in "$root"/scripts/*.lua; do
    scenes=$((scenes + 1))
    scene_name=$(basename "$scene" .lua)
    expect 0 check "$scene"
    # A scene without an end is cut after a while.
    expect 0 render "$scene" -o "$scene_name.wav" --until-silent -60 --limit "${SCENE_SECONDS-20}" --json
    between "$(json peak_dbfs)" -40 -0.05 "the peak of $scene_name"
    between "$(json bodies)" 1 1e6 "the bodies of $scene_name"
    between "$(json modes)" 1 1e9 "the modes of $scene_name"
    if ! grep -q 'still sounding' "$err"; then
        between "$("$facts" wav "$scene_name.wav" | cut -d' ' -f5)" -200 -60 "the end of $scene_name"
    fi
    rm -f "$scene_name.wav"
done
[ "$scenes" -gt 0 ] || fault 'there are no scenes'

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
