#!/bin/sh
# SPDX-License-Identifier: MIT
# cmake --install into an empty prefix: the program works from there, without
# the checkout. Gets, after the usual three, cmake and the build folder.
cmake=$4 build=$5
. "$(dirname "$0")/lib.sh"

prefix=$work/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$work/log" 2>&1 ||
    { cat "$work/log" && fault 'cmake --install failed'; }
for file in bin/sandbell libexec/sandbell/sandbell-mesh-reader \
    share/sandbell/scripts/marimba.lua share/sandbell/models/bowl.obj \
    share/sandbell/textures/glass_1.png share/sandbell/sandbell.d.lua \
    share/man/man1/sandbell.1.gz share/zsh/site-functions/_sandbell \
    share/bash-completion/completions/sandbell share/doc/sandbell/copyright; do
    holds test -s "$prefix/$file"
done
same "$prefix/share/sandbell/sandbell.d.lua" "$root/bindings/sandbell.d.lua"
gzip -dc "$prefix/share/man/man1/sandbell.1.gz" >"$work/page"
"$sandbell" help --man >"$out"
same "$out" "$work/page"

# What the launcher builds is all that is installed from the build folder.
target=$(sed -n 's/.* set_up build \([a-z_]*\)$/\1/p' "$root/sandbell")
if [ -e "$build/build.ninja" ]; then
    (cd "$build" && ninja -t commands "$target") >"$work/built"
    cat "$build/cmake_install.cmake" "$build/bindings/library/cmake_install.cmake" |
        grep -oE "$build/(bin|lib|libexec|made)/[^\" )]+" | grep -vE '[.]pc$|Config' |
        sed "s|^$build/||" | sort -u >"$work/installed"
    equal "$(wc -l <"$work/installed")" 10 'files that are installed from the build folder'
    while read -r file; do
        holds grep -qF -- "$file" "$work/built"
    done <"$work/installed"
fi

# From another place, as if it had been copied to another machine. Each scene
# here is outside of the library, so models and textures come from there.
mv "$prefix" "$work/moved"
sandbell=$work/moved/bin/sandbell
cat >scene.lua <<'END'
local sb = require "sandbell"
local cup = sb.body("cup", {
  shape = sb.mesh("models/bowl.obj", { thickness = 0.003, max_hz = 1500 }), material = "bronze" })
local bar = sb.body("bar", {
  shape = sb.bar { length = 0.35, width = 0.05, thickness = 0.021 }, material = "wood",
  weights = sb.texture "textures/marimba_%d.png" })
function scene.start()
  cup:strike { speed = 1 }
  bar:strike { speed = 1 }
end
END
expect 0 render scene.lua --duration 0.2 -o sound.wav --json
equal "$(json bodies)" 2 bodies
# The benches are not installed.
expect 3 bench modal_bank
says err 'a program of their own, sandbell_bench'
# Neither the library nor the reader of the build folder was used.
mv "$work/moved/share/sandbell/models/bowl.obj" "$work/moved/share/sandbell/models/other.obj"
expect 1 check scene.lua
says err 'models/bowl.obj: no such file'
mv "$work/moved/share/sandbell/models/other.obj" "$work/moved/share/sandbell/models/bowl.obj"
mv "$work/moved/libexec/sandbell/sandbell-mesh-reader" "$work/reader"
SANDBELL_CACHE=off expect 1 check scene.lua
says err 'the program sandbell-mesh-reader is missing'
# The environment overrides both.
export SANDBELL_MESH_READER="$work/reader" SANDBELL_LIBRARY="$root"
rm -r "$work/moved/share/sandbell/models"
SANDBELL_CACHE=off expect 0 check scene.lua
unset SANDBELL_MESH_READER SANDBELL_LIBRARY
mv "$work/reader" "$work/moved/libexec/sandbell/sandbell-mesh-reader"
expect 0 run "$work/moved/share/sandbell/scripts/hello.lua" --backend null --for 0.3
# The studio finds its page there.
expect 0 studio "$work/moved/share/sandbell/scripts/hello.lua" --no-open --print-url --backend null --for 0.2
says out 'http://127.0.0.1:'
holds test -s "$work/moved/share/sandbell/bindings/studio/page/index.html"
rm -f scene.lua sound.wav
finish
