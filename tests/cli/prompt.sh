#!/bin/sh
# SPDX-License-Identifier: MIT
# repl from a pipe, run, which does not read its input, and the editor files of `new`.
. "$(dirname "$0")/lib.sh"

# Lines from standard input; the first word is the exit code.
talk() {
    wanted=$1
    shift
    command="repl $* < lines"
    "$sandbell" repl --backend null "$@" >"$out" 2>"$err"
    code=$?
    checks=$((checks + 1))
    [ "$code" -eq "$wanted" ] || fault "exit code $code, wanted $wanted"
}

# --- an empty scene is filled, struck and heard
talk 0 --record r.wav <<'END'
1 + 1
=6 * 7
bell = sb.body("bell", { shape = sb.modes { { 440, 0.3 } } })
bell
for i = 1, 2 do
  bell:strike { impulse = 0.05 }
  sb.sleep(0.05)
end
#bell:modes()
sb.stats().bodies, sb.stats().strikes
{ 1, b = { true }, "x" }
END
equal "$(cat "$out")" "2
42
body 'bell'
1
1.0	1.0
{ 1, \"x\", b = { true } }" 'what was said'
says err 'playing an empty scene'
says err '2 strikes'
says err '0 late commands'
between "$("$facts" sound r.wav seconds 2>/dev/null || echo 1)" 0.3 20 'time until it had faded'
rm -f r.wav
holds test ! -e "$work/state" # a pipe is no history

# --- a line that is too long is refused as a whole, with one message
{
    printf -- '--%200000sprint("tail")\n' ' '
    printf 'print("next")\n'
    printf -- '--%65533s\nprint("after 65535")\n' ' '
    printf 'x = 1 \r y = 2\nprint(x, y)\r\n'
    printf 'print("last")--%100000s' ' '
} >"$work/lines"
talk 1 <"$work/lines"
equal "$(cat "$out")" 'next
after 65535
1	2' 'what is printed beside lines that are too long'
equal "$(grep -c 'that is too long for the prompt' "$err")" 3 'messages'

# --- one line per error, and a count; the rest goes on
talk 1 <<'END'
error("ouch")
sb.bra {}
nothing.x
syntax error
print("still here")
for i = 1, 2 do
END
lines err 7
says err 'prompt:1: ouch'
says err "sandbell has no 'bra'; did you mean 'bar'?"
says err "attempt to index a nil value (global 'nothing')"
says err "prompt:1: syntax error near 'error'"
says out 'still here'
says err "'end' expected"

# --- in a scene: its globals, its bodies by name, reload, reset
cat >"$work/bells.lua" <<'END'
local sb = require "sandbell"
local low = sb.body("low", { shape = sb.modes { { 220, 0.1 } } })
function hit() return low:strike { impulse = 0.01 } end
function scene.start() state.starts = (state.starts or 0) + 1 end
END
talk 0 "$work/bells.lua" <<'END'
low:name()
hit().impulse
state.kept = 7
R
sb.go(function() sb.sleep(0.3) print("after reload", state.kept) sb.reset() end)
END
says out low
says out 0.01
says err 'reloaded bells.lua in'
says err ': 1 kept'
talk 0 "$work/bells.lua" --for 0.5 <<'END'
state.kept = 7
RR
END
says err 'reset bells.lua in'
says err 'played 0.50 s'
talk 0 --for 0.3 <<'END'
R
END
says err 'there is no file to load again'
talk 0 </dev/null
lines out 0
talk 2 nothing.lua </dev/null

# --- params by name; one that the scene is described with loads it again, and
# a solve is said at once
cat >"$work/plate.lua" <<'END'
local sb = require "sandbell"
local hardness = sb.param("hardness", { min = 1e4, max = 1e7, default = 3e5, curve = "log" })
local thickness = sb.param("thickness", { min = 0.001, max = 0.02, default = 0.004 })
sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = thickness(), method = "shell", elements = 12 },
  material = "steel" })
function scene.start() print("as hard as", sb.params.hardness) end
END
: >"$err"
(printf 'hardness = 1e5\nhardness\nhardness = 5\nthickness = 0.006\n' &&
    await has_text "$err" 'reloaded plate.lua' && printf 'thickness\n') | talk 1 "$work/plate.lua"
says out "as hard as$(printf '\t')300000.0"
says out 100000.0
says err 'param: hardness must be a number from 10000 to 1e+07, got 5'
says err 'solving plate ...'
says err 'reloaded plate.lua in'
says err ': 1 replaced'
says out 0.006
equal "$(grep -c reloaded "$err")" 1 'loads'

# --- run does not read standard input that is not a terminal
put_scene 0.05 "$work/bell.lua"
printf 'print("eaten")\n' >"$work/input"
rest=$({
    "$sandbell" run "$work/bell.lua" --backend null --for 0.2 >"$out" 2>"$err"
    cat
} <"$work/input")
equal "$rest" 'print("eaten")' 'what run left of its input'
lines err 2

# --- editors
expect 0 new first
same first/.sandbell/sandbell.d.lua "$root/bindings/sandbell.d.lua"
expect 0 help --api-stubs
same "$out" "$root/bindings/sandbell.d.lua"
expect 0 help --api-markdown
says out '| `sb.bar(def)` | Shape |'
expect 0 help repl
says out 'TAB'
if command -v luacheck >/dev/null; then
    (cd first && holds luacheck --quiet .)
fi
rm -rf first
nothing_left
finish
