#!/bin/sh
# SPDX-License-Identifier: MIT
# studio: the address, the port, what goes wrong, and sessions as sound files.
. "$(dirname "$0")/lib.sh"

cat >bar.lua <<'END'
local sb = require "sandbell"
sb.body("bar", {
  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel" })
END

# --- the address is printed before anything else, once
expect 0 studio bar.lua --no-open --print-url --backend null --for 0.2
lines out 1
grep -qE '^http://127\.0\.0\.1:[0-9]+/#token=[0-9a-f]{64}$' "$out" ||
    fault 'no address on stdout'
expect 0 studio bar.lua --no-open --backend null --for 0.2
lines out 0
says err 'studio: http://127.0.0.1:'
expect 0 run bar.lua --studio --no-open --backend null --for 0.2
says err 'studio: http://127.0.0.1:'
expect 0 studio --no-open --backend null --for 0.2
says err 'playing an empty scene'

# --- the next start has the same address; others may not read it
expect 0 studio bar.lua --no-open --print-url --backend null --for 0.2
cp "$out" before
expect 0 studio bar.lua --no-open --print-url --backend null --for 0.2
same before "$out"
kept=$(ls "$XDG_STATE_HOME"/sandbell/studio-*)
equal "$(stat -c %a "$kept")" 600 'mode of the kept address'
mkdir other
cp bar.lua other
expect 0 studio other/bar.lua --no-open --print-url --backend null --for 0.2
! cmp -s before "$out" || fault 'another folder has the same address'
chmod 644 "$kept"
expect 0 studio bar.lua --no-open --print-url --backend null --for 0.2
! cmp -s before "$out" || fault 'an address that others could read is used'
equal "$(stat -c %a "$kept")" 600 'mode of the new one'

# --- a port of one's own, and one that is taken
start studio bar.lua --no-open --print-url --backend null --for 20 >first 2>/dev/null &
first=$!
await test -s first
port=$(sed 's/.*:\([0-9]*\)\/.*/\1/' first)
expect 3 studio bar.lua --no-open --port "$port" --backend null --for 0.2
says err "port $port of 127.0.0.1 is taken"
expect 0 studio bar.lua --no-open --print-url --backend null --for 0.2
says err "port $port is taken, where pages of this folder were; this time it is"
kill -INT "$first"
wait "$first"
equal "$?" 130 'exit code after Ctrl-C'
expect 0 studio bar.lua --no-open --print-url --port "$port" --backend null --for 0.2
says out ":$port/#token="

# --- mistakes
expect 2 studio none.lua --no-open --backend null
says err 'there is no such file'
expect 2 studio bar.lua --port 70000
expect 2 studio --replay s.jsonl
says err '--replay needs a scene'

# --- what was done in a page, as a sound file: the same bytes every time
cat >s.jsonl <<'END'
{"sandbell":"session","version":1}
{"t":0.1,"message":{"type":"strike","body":"bar","point":[0.1,0.0025,0],"direction":null,"speed":1,"striker":{"mass":0.01}}}
{"t":0.3,"message":{"type":"material.set","body":"bar","youngs_modulus":3e11}}
{"t":0.5,"message":{"type":"mode.set","body":"bar","n":2,"mute":true}}
{"t":0.6012,"message":{"type":"strike","body":"bar","point":[0.1,0.0025,0],"speed":1}}
END
expect 0 studio bar.lua --replay s.jsonl -o a.wav --for 1
expect 0 studio bar.lua --replay s.jsonl -o b.wav --for 1
same a.wav b.wav
sed '/mode.set/d' s.jsonl >t.jsonl
expect 0 studio bar.lua --replay t.jsonl -o c.wav --for 1
! cmp -s a.wav c.wav || fault 'a muted mode is heard'
echo 'nonsense' >>s.jsonl
expect 1 studio bar.lua --replay s.jsonl -o d.wav
says err 'line 6 is not one of a recorded session'
[ ! -e d.wav ] || fault 'd.wav was written'
sed -i 's/"bar"/"none"/' t.jsonl
expect 0 studio bar.lua --replay t.jsonl -o e.wav --for 1
says err 'replay, at 0.100 s: strike: there is no such body'

finish
