#!/bin/sh
# SPDX-License-Identifier: MIT
# cmake --install into an empty prefix, then programs that know nothing but that
# prefix: by pkg-config, by CMake, by the archive, and by dlopen. Gets, after the
# usual three, cmake, the build folder and the compiler.
cmake=$4 build=$5 cc=$6
. "$3/tests/cli/lib.sh"

prefix=$work/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$work/log" 2>&1 ||
    { cat "$work/log" && fault 'cmake --install failed'; }
pc=$(find "$prefix" -name sandbell.pc)
libs=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH="${pc%/*}" LD_LIBRARY_PATH="$libs"
cp "$root"/scripts/c/*.c .

# An example of the guide: compiled, run, its result looked at.
build_one() { # NAME FLAGS...
    command="$*"
    file=$1
    shift
    # shellcheck disable=SC2046 # the flags are words
    "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror "$file.c" -o "$file" \
        "$@" $(pkg-config --cflags --libs sandbell) -lm >"$out" 2>"$err" ||
        fault "$file.c does not compile"
    checks=$((checks + 1))
}
build_one marbles
./marbles marbles.wav >"$out" 2>"$err" || fault 'marbles fails'
says out '0.167 s: 1.64 m/s'
"$facts" wav marbles.wav >"$work/facts"
holds grep -q 48000 "$work/facts"
build_one player
./player "$prefix/share/sandbell/scripts/hello.lua" null >"$out" 2>"$err" ||
    fault 'player fails'
says out ' bar '
if ./player none.lua null >"$out" 2>"$err"; then fault 'player found none.lua'; fi
says err 'none.lua: there is no such file'

# Nothing but sandbell_* is seen of the archive, and it links alone.
if nm "${libs}/libsandbell.a" | grep ' [TDBR] ' | grep -v ' sandbell_' >"$out"; then
    fault 'the archive shows names of its own'
fi
# sandbell_licence() is right of these; another library has to be looked at first.
# MIT: cjson, lua5.4, stb; BSD: amd, lapacke, md, mysofa, ode, openblas, xxhash; zlib: png16; Apache: metis; LGPL: sndfile, glibc.
LC_ALL=C objdump -p "$libs/libsandbell.so.0" | sed -n 's/^ *NEEDED *\(lib\)\{0,1\}\([^ ]*\)\.so.*/\2/p' >"$out"
holds grep -qx metis "$out"
if grep -vxE 'cjson|lua5\.4|stb|amd|lapacke|md|mysofa|ode|openblas|xxhash|png16|metis|sndfile|c|m|ld-linux.*|[a-z]*san' "$out" >"$err"; then
    fault "sandbell_licence() does not know $(cat "$err")"
fi
cp marbles.wav shared.wav
# shellcheck disable=SC2046
"$cc" -std=c11 marbles.c -o marbles "-I$prefix/include" "$libs/libsandbell.a" \
    $(pkg-config --static --libs sandbell | sed 's/-lsandbell\b//') -lm >"$out" 2>"$err" ||
    fault 'the archive does not link'
./marbles marbles.wav >"$out" 2>"$err" || fault 'marbles fails, linked with the archive'
same marbles.wav shared.wav

# Models and the mesh reader are found beside the library, whatever the program.
cat >mesh.c <<'END'
#include <dlfcn.h>
#include <sandbell.h>
#include <stdio.h>
#define LOAD(name) __typeof__(&name) name##_ = (__typeof__(&name))dlsym(library, #name)
int main(int argc, char **argv) {
    (void)argc;
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) return puts(dlerror()), 1;
        LOAD(sandbell_scene_open_text);
        LOAD(sandbell_bodies);
        LOAD(sandbell_scene_close);
        sandbell_scene *scene;
        sandbell_error err;
        if (sandbell_scene_open_text_(
                "local sb = require 'sandbell' sb.body('cup', { shape = sb.mesh('models/bowl.obj',"
                " { thickness = .003, max_hz = 1500 }), material = 'bronze' })",
                NULL, NULL, &scene, &err))
            return puts(err.text), 1;
        printf("%d body\n", sandbell_bodies_(scene, NULL, 0));
        sandbell_scene_close_(scene);
        dlclose(library);
    }
    return 0;
}
END
"$cc" -D_GNU_SOURCE mesh.c -o mesh "-I$prefix/include" -ldl >"$out" 2>"$err" || fault 'mesh.c does not compile'
env -u LD_LIBRARY_PATH ./mesh "$libs/libsandbell.so.0" >"$out" 2>"$err" || fault 'dlopen twice'
lines out 2
says out '1 body'

# By CMake, and the header in C++.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(sandbell 0.2 REQUIRED)
add_executable(user marbles.c)
target_link_libraries(user PRIVATE sandbell::sandbell m)
END
"$cmake" -S . -B made "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$cc" >"$out" 2>"$err" &&
    "$cmake" --build made >>"$out" 2>"$err" || fault 'find_package(sandbell) fails'
./made/user marbles.wav >"$out" 2>"$err" || fault 'the program of CMake fails'
same marbles.wav shared.wav
if command -v c++ >/dev/null; then
    echo '#include <sandbell.h>
int main() { sandbell_scene_def def = sandbell_scene_def_default(); return def.size == 0; }' >header.cpp
    # shellcheck disable=SC2046
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror header.cpp -o header $(pkg-config --cflags --libs sandbell) \
        >"$out" 2>"$err" || fault 'the header is not C++'
    ./header || fault 'the header does not work in C++'
fi
rm -rf ./*
finish
