# SPDX-License-Identifier: MIT
# Sourced by the tests of the command line. Their arguments are the program,
# file_facts and the root of the repository.
#
#     expect 2 render nothing.lua     run; the exit code must be 2
#     start run x.lua &               in the background; pid=$!
#     says err 'there is no such'     that stream must contain this text
#     says_not err 'warning'          that stream must not contain it
#     lines err 1                     how many lines
#     equal "$(...)" wanted 'what'
#     await has_text "$err" 'playing' wait until that is true
#
# Each test works in an empty directory of its own. A fault is printed at once;
# after a fault the test fails at its end.
sandbell=$1 facts=$2 root=$3
name=$(basename "$0" .sh)
work=$(mktemp -d "${TMPDIR:-/tmp}/sandbell-$name-XXXXXX") || exit 2
# What bodies radiate takes long, and is the same in all tests of this program.
heard=$(dirname "$facts")/heard
mkdir -p "$heard" "$work/cache"
if [ -n "$(find "$sandbell" -newer "$heard/since" 2>&1)" ]; then
    rm -f "$heard"/*.heard && touch "$heard/since"
fi
cp "$heard"/*.heard "$work/cache" 2>/dev/null
trap 'cp -n "$work"/cache/*.heard "$heard" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/here" && cd "$work/here" || exit 2
out=$work/out err=$work/err
checks=0 faults=0
unset NO_COLOR
SANDBELL_CACHE=$work/cache
XDG_STATE_HOME=$work/state
export SANDBELL_CACHE XDG_STATE_HOME

fault() {
    faults=$((faults + 1))
    printf '%s: FAULT: %s\n' "$name" "$*"
    [ -n "${command-}" ] && printf '  after: sandbell %s\n' "$command"
    sed 's/^/  out | /' "$out" | tr -d '\000' | head -5
    sed 's/^/  err | /' "$err" | head -5
}

# The first word is the exit code.
expect() {
    wanted=$1
    shift
    command=$*
    "$sandbell" "$@" >"$out" 2>"$err" </dev/null
    code=$?
    checks=$((checks + 1))
    [ "$code" -eq "$wanted" ] || fault "exit code $code, wanted $wanted"
}

# start run x.lua & pid=$! in the background, where a shell ignores SIGINT and
# SIGQUIT for its children: here they have their defaults.
start() { exec env --default-signal=INT,QUIT,PIPE "$sandbell" "$@"; }

stream() { if [ "$1" = out ]; then echo "$out"; else echo "$err"; fi; }

says() {
    checks=$((checks + 1))
    grep -qF -- "$2" "$(stream "$1")" || fault "std$1 does not contain: $2"
}

says_not() {
    checks=$((checks + 1))
    ! grep -qF -- "$2" "$(stream "$1")" || fault "std$1 contains: $2"
}

lines() {
    checks=$((checks + 1))
    count=$(wc -l <"$(stream "$1")")
    [ "$count" -eq "$2" ] || fault "std$1 has $count lines, wanted $2"
}

equal() {
    checks=$((checks + 1))
    [ "$1" = "$2" ] || fault "$3: got '$1', wanted '$2'"
}

same() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || fault "$1 and $2 differ"
}

holds() { # A shell command that must succeed.
    checks=$((checks + 1))
    "$@" >"$work/holds" 2>&1 || fault "not true: $* ($(head -c 200 "$work/holds"))"
}

# Is $1 from $2 to $3, as numbers?
between() {
    checks=$((checks + 1))
    awk "BEGIN { exit !($1 >= $2 && $1 <= $3) }" || fault "$4: $1 is not from $2 to $3"
}

# Wait until a command succeeds, for as long as a slow, busy machine may need. A test
# waits for what it needs, never for a time in which that should have happened.
await() {
    checks=$((checks + 1)) tries=$((600 * ${CK_TIMEOUT_MULTIPLIER:-1}))
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { fault "waited in vain for: $*"; return; }
        sleep 0.05
    done
}
has_text() { grep -qF -- "$2" "$1"; } # FILE TEXT
# Has the recording that is under way in this folder so many bytes?
has_recorded() { [ "$(cat .sandbell-* | wc -c)" -ge "$1" ]; }

# The folder is empty: an unfinished file was removed.
nothing_left() {
    checks=$((checks + 1))
    left=$(ls -A "${1:-.}")
    [ -z "$left" ] || fault "left behind: $left"
}

json() { "$facts" json "$out" "$@"; }

# Has a scene deformable bodies? They take seconds per tenth of a second of sound;
# `few` prints options that leave them few elements.
is_deformable() { [ -f "$1" ] && grep -q 'sb\.deformable' "$1"; }
few() {
    grep -q 'sb.param("elements"' "$1" || return 0
    if grep -q 'models/' "$1"; then
        echo '--set elements=13'
    elif grep -q 'sb\.plate\|sb\.disk' "$1"; then # sheets sound as far as they are resolved
        echo '--set elements=12'
    else
        echo '--set elements=6'
    fi
}

# A body of two given modes, struck once; rings for about $1 seconds.
put_scene() {
    cat >"$2" <<END
local sb = require "sandbell"
local bell = sb.body("bell", { shape = sb.modes { { 440, $1 }, { 1000, $1, 0.5 } } })
function scene.start()
  bell:strike { impulse = 0.05 }
end
END
}

finish() {
    printf '%s: %d checks, %d faults\n' "$name" "$checks" "$faults"
    [ "$faults" -eq 0 ]
    exit
}
