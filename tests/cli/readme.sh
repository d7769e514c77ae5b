#!/bin/sh
# SPDX-License-Identifier: MIT
# The README files are true:
#
#   - every block of Lua passes `sandbell check`;
#   - every command in a block of sh runs: what would play for ever is played for a
#     moment, and what would take minutes (benches, sanitizers) is only looked up,
#     its verb, options and targets. A command without a rule is a fault;
#   - commands, paths and functions in the text exist, and so do links and anchors;
#   - the map of the source has every folder, and the list of libraries every library;
#   - the gallery has every scene with its picture, and pictures stay small.
#
# With EVERY set, as for sanitizers, no commands are run: the plain test does that.
[ -f "$3/README.md" ] || { echo 'skipped: there is no README.md'; exit 77; }
. "$(dirname "$0")/lib.sh"
: >"$out"
: >"$err"
build=$(dirname "$facts")/..
set -- "$root"/README.md "$root"/CONTRIBUTING.md "$root"/*/README.md "$root"/scripts/guide/*.md "$root"/scripts/truth/README.md
papers=$*
for folder in scripts models textures; do ln -s "$root/$folder" "$folder"; done

# --- Lua ---------------------------------------------------------------------

# Block n of a file, from its first line to its last, in block_n.lua.
blocks=0
for paper in $papers; do
    rm -f block_*.lua
    awk '/^```lua/ { n++; inside = 1; next } /^```/ { inside = 0 } inside { print > ("block_" n ".lua") }' "$paper"
    for block in block_*.lua; do
        [ -e "$block" ] || break
        blocks=$((blocks + 1))
        expect 0 check "$block" --for 1
        [ "$code" -eq 0 ] || { echo "  in ${paper#"$root"/}"; sed 's/^/  block | /' "$block"; }
    done
done
command=
[ "$blocks" -ge 9 ] || fault "only $blocks blocks of Lua"

# --- commands ----------------------------------------------------------------

# `./sandbell VERB --option ...`: there is such a verb, and it has these options.
"$sandbell" help >"$work/help"
exists() {
    verb=$1
    case $verb in test | setup)
        holds grep -q "^ *$verb)" "$root/sandbell"
        return ;;
    esac
    holds grep -q "^  $verb " "$work/help"
    [ -f "$work/help_$verb" ] || "$sandbell" help "$verb" >"$work/help_$verb" 2>&1
    for word; do
        case $word in
        --*) grep -q -- "[ ,]$word\b" "$work/help_$verb" || fault "$verb has no option $word" ;;
        esac
    done
    case $verb in bench)
        case ${2-} in '' | -* | NAME) ;; *) holds grep -qw "$2" "$work/help_bench" ;; esac ;;
    esac
}

has() { # WORD ...: is the first among the others?
    wanted=$1
    shift
    for word; do [ "$word" = "$wanted" ] && return 0; done
    return 1
}

try_sandbell() {
    exists "$@"
    [ -z "${EVERY-}" ] || return 0
    case $1 in
    run) expect 0 "$@" --backend null --for 0.1 --no-meter ;;
    studio) expect 0 "$@" --no-open --backend null --for 0.1 ;;
    render)
        if is_deformable "$2"; then
            # shellcheck disable=SC2046 # two words
            expect 0 "$@" --duration 0.05 $(few "$2")
            return
        fi
        # A contact or a time that is asked for needs all that comes before it.
        if has --contact "$@" || has --at "$@" || has --duration "$@"; then
            expect 0 "$@"
        else
            expect 0 "$@" --duration 0.2
        fi ;;
    modes)
        # Literal springs take 10 s; tests/cli/modes.sh compares all methods.
        has all "$@" || expect 0 "$@" ;;
    lessons) expect 0 "$@" ;;
    lesson)
        case $* in
        *--handout* | *--copy*) expect 0 "$@" ;;
        *) expect 0 "$@" --no-open --backend null --for 0.1 ;;
        esac ;;
    check)
        # Nothing in a new folder of a student is right yet.
        if [ -f "$2/answers.json" ]; then expect 1 "$@"; else expect 0 "$@"; fi ;;
    bake | fit | new | truth | help | doctor | materials) expect 0 "$@" ;;
    bench | test | setup) ;; # minutes, or the whole of what runs this
    *) fault "no rule for this verb: $1" ;;
    esac
}

try() {
    case $1 in
    ./sandbell)
        shift
        try_sandbell "$@" ;;
    SHOW=1 | FUZZ_READER=* | MINUTES=*)
        shift
        try "$@" ;;
    build/tests/* | build/bin/*)
        checks=$((checks + 1))
        [ -x "$build/${1#build/}" ] || fault "$1 is not built" ;;
    build-asan/tests/*) holds grep -rq "add_executable(${1##*/}\b" "$root/tests/CMakeLists.txt" ;;
    */python3) holds test -f "$root/$2" ;;
    build-fuzz/tests/*) holds grep -q "sandbell_fuzz(${1##*/fuzz_} " "$root/tests/fuzz/fuzz.cmake" ;;
    scripts/*.sh) holds test -x "$root/$1" ;;
    cmake)
        for word; do
            case $word in
            -DSANDBELL_*)
                word=${word#-D}
                holds grep -rqw "${word%%=*}" "$root/CMakeLists.txt" "$root/runtime/CMakeLists.txt" ;;
            esac
        done
        if has --target "$@"; then
            while [ "$1" != --target ]; do shift; done
            holds grep -rqE "add_(custom_target|executable)\($2\b" "$root/CMakeLists.txt" "$root/runtime" \
                "$root/bindings" "$root/tests" --include=CMakeLists.txt --include=*.cmake
        elif has --preset "$@"; then
            while [ "$1" != --preset ]; do shift; done
            holds grep -q "\"name\": *\"$2\"" "$root/CMakePresets.json"
        fi ;;
    export | cc | ./marbles) ;; # library/installed does the same
    ctest | git | bash | sh | sudo | apt-get | clang-format | luacheck | shellcheck | dpkg | cpack) ;; # not ours
    *) fault "no rule for this command: $*" ;;
    esac
}

# The commands of a file, one per line: its blocks of sh without comments.
block_commands() {
    awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 }
        !inside { next }
        { line = line $0 }
        sub(/\\$/, "", line) { next }
        { sub(/[ \t]+#.*$/, "", line); if (line ~ /[^ ]/ && line !~ /^#/) print line; line = "" }' "$1"
}

prose() { awk '/^ *```/ { inside = !inside; next } !inside' "$1"; }

set -f
commands=0
for paper in $papers; do
    block_commands "$paper" >"$work/commands"
    while IFS= read -r line; do
        if grep -qxF -- "$line" "$work/done" 2>/dev/null; then continue; fi
        printf '%s\n' "$line" >>"$work/done"
        commands=$((commands + 1))
        before=$faults
        command=$line
        set +f
        eval "try $line"
        set -f
        [ "$faults" -eq "$before" ] || echo "  in ${paper#"$root"/}: $line"
    done <"$work/commands"

    # Those in the text, between backticks.
    command=
    prose "$paper" | grep -oE '`(SHOW=1 )?(\./sandbell |build/tests/)[^`]*`' | tr -d '`' >"$work/commands"
    while IFS= read -r line; do
        before=$faults
        eval "set -- $(printf '%s' "$line" | sed 's/\\|/|/g')"
        [ "$1" = SHOW=1 ] && shift
        case $1 in
        ./sandbell)
            shift
            [ "$1" = VERB ] || exists "$@" ;;
        *) try "$@" ;;
        esac
        [ "$faults" -eq "$before" ] || echo "  in ${paper#"$root"/}: $line"
    done <"$work/commands"
done
set +f
command=
[ "$commands" -ge 30 ] || fault "only $commands commands"

# --- names -------------------------------------------------------------------

cat "$root"/runtime/*/*.[ch] "$root"/runtime/*/*/*.[ch] "$root"/bindings/*.[ch] "$root"/bindings/*/*.[ch] \
    "$root"/bindings/*/*/*.[ch] | grep -oE 'sb_[a-z0-9_]+' | sort -u >"$work/names"
find "$root/runtime" "$root/bindings" "$root/tests" -name '*.[cj]*' | sed 's|.*/||' | sort -u >"$work/files"
for paper in $papers; do
    prose "$paper" | grep -oE '`[^`]+`' | tr -d '`' >"$work/spans"
    grep -E '^(runtime|bindings|tests|scripts|models|textures)/[A-Za-z0-9_./-]+$' "$work/spans" | grep -vF '...' | sort -u |
        while IFS= read -r path; do
            [ -e "$root/$path" ] || echo "${paper#"$root"/} names $path"
        done >"$work/missing"
    grep -E '^[a-z0-9_]+\.(c|js)$' "$work/spans" | sort -u | comm -23 - "$work/files" |
        sed "s|^|${paper#"$root"/} names |" >>"$work/missing"
    grep -E '^sb_[a-z0-9_]+(\(\))?$' "$work/spans" | tr -d '()' | sort -u |
        comm -23 - "$work/names" | sed "s|^|${paper#"$root"/} names |" >>"$work/missing"
    checks=$((checks + 1))
    [ ! -s "$work/missing" ] || fault "no such thing: $(cat "$work/missing")"
done

# Each room of runtime/ has its line in the tour, in the order of rooms.txt.
sed -n 's/^\([a-z][a-z/_]*\):.*/\1/p' "$root/tests/guards/rooms.txt" | grep -v '^bindings' >"$work/rooms"
awk '/^## / { inside = /^## Rooms/ } inside' "$root/runtime/README.md" | sed -n 's/^| `\([a-z][a-z/_]*\)` .*/\1/p' >"$work/listed"
same "$work/rooms" "$work/listed"

# The map of the source has every folder of runtime/ and bindings/, and no other.
section() { awk -v head="## $1" '/^## / { inside = $0 == head } inside' "$root/README.md"; }
(cd "$root" && ls -d runtime/*/ bindings/*/) | sort >"$work/folders"
section 'Map of the source' | grep -oE '^(runtime|bindings)/[a-z_]+/' | sort >"$work/listed"
holds diff "$work/folders" "$work/listed"

# The list of libraries has all that the build needs and that the page loads.
section 'Libraries and licence' >"$work/listed"
{
    sed -nE 's/^ *need\([A-Z]+ (lib)?([a-z]+).*/\2/p; s/^find_path\(([A-Z]+)_INCLUDE_DIR.*/\1/p' "$root/CMakeLists.txt"
    grep -rhoE '/usr/share/javascript/[a-z]+' "$root/bindings/studio" --include=files.c | sed 's|.*/||'
} | sort -u >"$work/libraries"
between "$(wc -l <"$work/libraries")" 20 40 libraries
while IFS= read -r library; do
    holds grep -qiE "\b(lib)?$library(\b|_)" "$work/listed"
done <"$work/libraries"

# --- links -------------------------------------------------------------------

anchors() {
    prose "$1" | sed -n 's/^#\{1,6\} *//p' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

links=0
for paper in $papers; do
    prose "$paper" | grep -oE '\]\([^)]+\)|<img src="[^"]+"' | sed -E 's/^\]\(//; s/\)$//; s/^<img src="//; s/"$//' |
        grep -v '^https*:' >"$work/links"
    while IFS= read -r link; do
        links=$((links + 1))
        file=${link%%#*}
        target=$paper
        [ -z "$file" ] || target=$(dirname "$paper")/$file
        if [ ! -e "$target" ]; then
            fault "${paper#"$root"/}: a link to nothing: $link"
        elif [ "$link" != "$file" ]; then
            anchors "$target" | grep -qxF -- "${link#*#}" || fault "${paper#"$root"/}: no such heading: $link"
        fi
    done <"$work/links"
done
[ "$links" -ge 50 ] || fault "only $links links"

# --- sizes and the gallery ---------------------------------------------------

between "$(wc -l <"$root/README.md")" 1 300 'lines of README.md'
scenes=$(find "$root/scripts" -maxdepth 1 -name '*.lua' | wc -l)
equal "$(grep -oE 'gallery of [0-9]+ scenes' "$root/README.md")" "gallery of $scenes scenes" 'README.md'
equal "$(grep -oE '[0-9]+ scenes' "$root/scripts/README.md")" "$scenes scenes" 'scripts/README.md'
for scene in "$root"/scripts/*.lua; do
    scene=$(basename "$scene" .lua)
    holds grep -qx "### $scene" "$root/scripts/README.md"
    holds grep -qF "(pictures/$scene.png)" "$root/scripts/README.md"
done
all=0
for picture in "$root"/scripts/pictures/*.png; do
    size=$(wc -c <"$picture")
    all=$((all + size))
    between "$size" 1000 80000 "bytes of $(basename "$picture")"
    # shellcheck disable=SC2086 # a list of files
    holds grep -qF "pictures/$(basename "$picture")" $papers
done
between "$all" 100000 2800000 'bytes of all pictures'

echo "$name: $blocks blocks of Lua, $commands commands, $links links"
finish
