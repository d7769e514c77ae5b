#!/bin/sh
# SPDX-License-Identifier: MIT
# Pipes that nobody reads: the scene plays on, Ctrl-C is obeyed, the recording is kept, lines left out
# are counted. Renders wait for their reader, and lose nothing.
. "$(dirname "$0")/lib.sh"

# 500 kB at once, more than a pipe and the program hold; then a mark, and more lines once `reading` is there.
cat >talk.lua <<'END'
local sb = require "sandbell"
local bell = sb.body("bell", { shape = sb.modes { { 440, 5 } } })
local function is_there(name)
  local file = io.open(name)
  if file then file:close() end
  return file ~= nil
end
local function mark(name) io.open(name, "w"):close() end
function scene.start()
  bell:strike { impulse = 0.05 }
  for i = 1, 5000 do
    print(i .. " " .. ("x"):rep(95))
    if i == 3000 then mark "begun" end
  end
  sb.go(function() sb.sleep(0.2) mark "played" end)
  sb.every(0.1, function() if is_there "reading" then print "again" end end)
end
END

# A pipe that is open and is not read: the program's end is `pipe`, ours is 4.
new_pipe() {
    rm -f pipe begun played reading
    mkfifo pipe
    exec 3<>pipe 4<pipe
}
unopened() { exec 3>&-; } # from here on 4 ends with the program
has_bytes() { [ "$(wc -c <"$1")" -ge "$2" ]; }
is_over() { ! kill -0 "$1"; }
end_of() { # the code of a program that was told to end; it is killed if it does not
    await is_over "$1"
    kill -KILL "$1" 2>/dev/null
    wait "$1"
}

# --- playing: standard output
: >"$out"
command='run, standard output unread'
new_pipe
start run talk.lua --trust --backend null --record p.wav >pipe 2>"$err" </dev/null &
pid=$!
await test -e played
unopened
cat <&4 >got &
reader=$!
await has_bytes got 200000
: >reading
await has_text got again
kill -INT "$pid"
end_of "$pid"
equal "$?" 130 'exit code after Ctrl-C'
wait "$reader"
holds "$facts" wav p.wav
arrived=$(grep -c 'xxx$' got)
# There may be room for a line in between, and so several counts.
left_out=$(sed -n 's/^\.\.\. and \([0-9]*\) lines* more$/\1/p' got | awk '{ n += $1 } END { print n + 0 }')
equal "$((arrived + left_out))" 5000 'lines that arrived and lines left out'
equal "$(grep -cvE '^[0-9]+ x{95}$|^again$|lines more$' got)" 0 'broken lines'

# --- and nobody reads until the end
command='run, never read'
new_pipe
start run talk.lua --trust --backend null --record q.wav >pipe 2>"$err" </dev/null &
pid=$!
await test -e played
kill -INT "$pid"
end_of "$pid"
equal "$?" 130 'exit code after Ctrl-C, unread'
holds "$facts" wav q.wav

# --- the reader goes away: what is played, recorded and rendered does not
command='run | head -n 1'
start run talk.lua --trust --backend null --for 1 --record h.wav 2>"$err" </dev/null | head -n 1 >"$out"
lines out 1
await test -s h.wav
holds "$facts" wav h.wav
command='render | head -n 1'
rm -f code
{ (start render talk.lua --trust --duration 0.1 -o i.wav 2>"$err" </dev/null); echo $? >code; } | head -n 1 >"$out"
await test -s code
equal "$(cat code)" 0 'exit code of a render whose reader goes away'
holds "$facts" wav i.wav

# --- standard error, and the address alone on standard output
command='studio --print-url, standard error unread'
new_pipe
start studio talk.lua --trust --backend null --no-open --print-url >"$out" 2>pipe </dev/null &
pid=$!
await test -e played
kill -INT "$pid"
end_of "$pid"
equal "$?" 130 'exit code after Ctrl-C, standard error unread'
lines out 1
says out 'http://127.0.0.1:'

# --- a render waits for its reader
command='render, read late'
new_pipe
start render talk.lua --trust --duration 0.1 -o r.wav >pipe 2>"$err" </dev/null &
pid=$!
await test -e begun
unopened
cat <&4 >got
wait "$pid"
equal "$?" 0 'exit code of a render that was read late'
equal "$(grep -cE '^[0-9]+ x{95}$' got)" 5000 'lines of a render'

command='render, never read'
new_pipe
start render talk.lua --trust --duration 0.1 -o s.wav >pipe 2>"$err" </dev/null &
pid=$!
await test -e begun
kill -INT "$pid"
end_of "$pid"
equal "$?" 130 'exit code of a render that nobody reads'

command='render -o -, never read'
new_pipe
put_scene 5 bell.lua
start render bell.lua --duration 2 -o - >pipe 2>"$err" </dev/null &
pid=$!
equal "$(head -c 4 <&4)" RIFF 'the first bytes of a sound'
kill -INT "$pid"
end_of "$pid"
equal "$?" 130 'exit code of a sound that nobody reads'

finish
