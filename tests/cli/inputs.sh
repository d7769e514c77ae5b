#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that are not what their names say: pipes, devices, files without end. A
# scene reads none that is not its own, and nothing waits for them. Bytes in text
# that no terminal and no reader of JSON should get.
. "$(dirname "$0")/lib.sh"

# A fault may be to wait for ever: each run has a limit, and then ends with 124.
real=$sandbell
printf '#!/bin/sh\nexec timeout --foreground -k 1 20 "%s" "$@"\n' "$real" >"$work/limited"
chmod +x "$work/limited"
sandbell=$work/limited

# --- an error message is the script's own: it names any file it likes
echo 'the secret line' >"$work/secret.txt"
ln -s "$work/secret.txt" outside.lua
mkfifo pipe.lua
cat >module.lua <<'END'
local M = {}
function M.fail() error "in the module" end
return M
END
for file in /dev/zero "$work/secret.txt" ./outside.lua outside.lua pipe.lua; do
    cat >scene.lua <<END
local sb = require "sandbell"
pcall(require, "outside")
sb.after(0.01, function() error("$file:1: the message", 0) end)
sb.after(0.02, function() print "it plays on" end)
END
    expect 1 run ./scene.lua --backend null --for 0.1
    says err "$file:1: the message"
    says_not err 'the secret line'
    says_not err '1 | '
    says out 'it plays on'
done
# Lines of the scene and its modules are quoted.
cat >scene.lua <<'END'
local sb = require "sandbell"
local module = require "module"
sb.after(0.01, function() error "in the scene" end)
sb.after(0.02, module.fail)
END
expect 1 run ./scene.lua --backend null --for 0.1
says err 'scene.lua:3: in the scene'
says err '    3 | sb.after(0.01, function() error "in the scene" end)'
says err 'module.lua:2: in the module'
says err '    2 | function M.fail() error "in the module" end'

# --- while a scene runs, one of its files becomes something else
cat >good.lua <<'END'
local sb = require "sandbell"
require "module"
local bell = sb.body("bell", { shape = sb.modes { { 440, 0.3 } } })
sb.every(0.1, function() bell:strike { impulse = 0.01 } end)
function scene.start() print "at work" end
END
cp module.lua good_module.lua
become() { # The file $2 becomes what $1 says.
    case $1 in
    pipe) mkfifo new ;;
    zero) ln -s /dev/zero new ;;
    large) truncate -s 40G new ;;
    error) echo 'error("/dev/zero:1: x", 0)' >new ;;
    folder) rm -f "$2" && mkdir new ;;
    esac
    mv -T new "$2"
}
try_replaced() { # What it becomes, which file, what is said.
    rm -rf scene.lua module.lua
    cp good.lua scene.lua
    cp good_module.lua module.lua
    : >"$out"
    start run scene.lua --backend null --for 60 --record r.wav >"$out" 2>"$err" </dev/null &
    pid=$!
    await has_text "$out" 'at work'
    await has_recorded 30000
    become "$1" "$2"
    await has_text "$err" "$3"
    says err 'still running the version of'
    kill -s INT "$pid"
    wait "$pid"
    equal $? 130 "exit code when $2 has become $1"
    between "$("$facts" wav r.wav | cut -d' ' -f3)" 4800 960000 'frames recorded'
    rm -f r.wav .sandbell-*
}
try_replaced pipe scene.lua 'scene.lua: is not a regular file'
try_replaced zero scene.lua 'scene.lua: is not a regular file'
try_replaced large scene.lua 'scene.lua: is larger than 8 MB: not a script'
try_replaced folder scene.lua 'scene.lua: is not a regular file'
try_replaced pipe module.lua 'module.lua: is not a regular file'
try_replaced large module.lua 'module.lua: is larger than 8 MB: not a script'
try_replaced error scene.lua '/dev/zero:1: x'
rm -rf ./*

# --- check of a folder, and of a student's folder
mkdir folder
put_scene 0.1 folder/bell.lua
ln -s /dev/zero folder/zero.lua
mkfifo folder/pipe.lua
expect 2 check folder
says err 'folder/pipe.lua: is not a file'
says err 'folder/zero.lua: is not a file'
says out 'folder: 3 scenes, 2 with errors'
mkdir student
mkfifo student/answers.json
expect 3 check student
says err 'student/answers.json cannot be read: it is not a regular file'

# --- inputs of render
put_scene 0.1 "$work/bell.lua"
mkfifo pipe.txt
for file in pipe.txt /dev/zero; do
    expect 3 render "$work/bell.lua" --duration 0.1 -o a.wav --spectrum a.png --lines "$file"
    says err "$file cannot be read: it is not a regular file"
    expect 3 render "$work/bell.lua" --duration 0.1 -o a.wav --spectrum a.png --over "$file"
    says err "$file cannot be read: it is not a"
done
rm -rf ./*

# --- a byte order mark, as editors on other systems write it
printf '\357\273\277print "marked" require "module"\n' >scene.lua
printf '\357\273\277#!/usr/bin/env sandbell\nprint "the module"\n' >module.lua
expect 0 check scene.lua --for 0.01
says err marked
says err 'the module'
printf '\357\273\277error "line one"\n' >module.lua
expect 1 check scene.lua --for 0.01
says err 'module.lua:1: line one'
printf '\033Lua\000\001' >module.lua
expect 1 check scene.lua --for 0.01
says err './module.lua: attempt to load a binary chunk: only Lua source is loaded'

# --- control characters are shown, not sent to the terminal
cat >scene.lua <<'END'
print("a\27[31mb\tc\r\7\xc2\x9bd\127\xffe \u{e4}\u{1f514}")
require("sandbell").after(0.01, function() error("x\27]0;title\7") end)
END
expect 1 run scene.lua --backend null --for 0.1
says out "$(printf 'a\\x1b[31mb\tc\\x0d\\x07\\xc2\\x9bd\\x7f\\xffe \303\244\360\237\224\224')"
says err 'x\x1b]0;title\x07'
printf 'error("load\\27[2J")\n' >scene.lua
expect 1 check scene.lua
says err 'load\x1b[2J'
expect 1 render scene.lua
says err 'load\x1b[2J'
for stream in "$out" "$err"; do
    holds sh -c "! LC_ALL=C grep -q '$(printf '[\033\007]')' '$stream'"
done
printf 'error("ask\\27[2J")\n"answer\\27[2J"\n' >lines
"$sandbell" repl --backend null <lines >"$out" 2>"$err"
says err 'ask\x1b[2J'
says out 'answer'
holds sh -c "! LC_ALL=C grep -q '$(printf '\033')' '$out' '$err'"

# --- JSON is valid whatever the names are
try_name() { # The name in Lua, what is said.
    printf 'local sb = require "sandbell"\nsb.body("%s", { shape = sb.modes { { 440, 0.1 } } })\n' "$1" >scene.lua
    expect 1 check scene.lua
    says err "$2"
}
try_name 'b\xff' 'scene.lua:2: sb.body: the name must be valid UTF-8'
try_name 'b\xc3(' 'the name must be valid UTF-8'
try_name 'b\27[2J' 'scene.lua:2: sb.body: the name must not hold control characters'
try_name 'b\n' 'the name must not hold control characters'
try_name 'b\u{9b}' 'the name must not hold control characters'
put_scene 0.1 scene.lua
bad=$(printf 'a\377.wav')
expect 0 render scene.lua --duration 0.1 -o "$bad" --json
equal "$(json file)" 'a?.wav' 'the name of the file in JSON'
# --- a small address space: OpenBLAS would ask for its buffer without end, also at exit
cat >plate.lua <<'END'
local sb = require "sandbell"
sb.body("p", {
  shape = sb.plate { width = 0.2, depth = 0.2, thickness = 0.003, method = "shell", elements = 6, modes = 5 }, material = "glass" })
END
put_scene 0.1 bell.lua
if (ulimit -v 200000 && "$real" --version) >/dev/null 2>&1; then # not with a sanitizer
    (ulimit -v 200000 && "$sandbell" modes plate.lua) >"$out" 2>"$err"
    equal $? 4 'exit code of a solve in a small address space'
    says err "plate.lua: body 'p': linear algebra needs a buffer of 129 MB, and the address space of this process is limited to 195 MB"
    lines err 1
    (ulimit -v 200000 && "$sandbell" render bell.lua --duration 0.05 -o bell.wav) >"$out" 2>"$err"
    equal $? 0 'exit code of a scene without a solve in a small address space'
    (ulimit -v 600000 && "$sandbell" modes plate.lua) >"$out" 2>"$err"
    equal $? 0 'exit code of a solve in a larger address space'
fi

finish
