#!/bin/sh
# SPDX-License-Identifier: MIT
# The prompt in a terminal, which tmux provides. Skipped without tmux.
command -v tmux >/dev/null || exit 77
. "$(dirname "$0")/lib.sh"
LC_ALL=C.UTF-8
export LC_ALL XDG_STATE_HOME="$work/state"
: >"$out"
: >"$err"
screen=1 # a server each: one that ends may still answer
tmux() { command tmux -f /dev/null -S "$work/socket$screen" "$@"; }
trap 'tmux kill-server 2>/dev/null; rm -rf "$work"' EXIT

# Wait until the screen shows the text, 10 s at the most or longer.
sees() {
    checks=$((checks + 1))
    for _ in $(seq 100); do
        tmux capture-pane -p -J >"$out"
        grep -qF -- "$1" "$out" && return
        sleep 0.1
    done
    fault "the screen does not show: $1"
    cat "$out"
    finish # what follows would only wait
}
types() { tmux send-keys -l "$1"; }
key() { tmux send-keys "$@"; }

put_scene 5 "$work/bell.lua"
cat >"$work/go" <<END
trap : INT QUIT # the keys reach this shell, too
ulimit -c 0
sh -c 'echo \$\$ >"$work/pid"; exec "$sandbell" run "$work/bell.lua" --backend null --record "$work/r.wav"'
echo "code \$?"
stty -a | grep -ow -e '-*icanon' -e '-*echo' | tr '\n' ' '
echo settings
sleep 60
END
tmux new-session -d -x 100 -y 30 sh "$work/go" || exit 77

# --- meter and line
sees 'missed'
sees 'dBFS █'
types 'bel'
key Tab
types ':str'
key Tab
types ' { sp'
key Tab
types ' = 1 }'
sees '> bell:strike { speed = 1 }'
key Enter
sees '{ bounces = false, duration = '
types 'sb.find("'
key Tab
sees '> sb.find("bell'
key C-u

# --- several lines, a message while typing, history
types 'for i = 1, 2 do'
key Enter
sees '>> '
types 'sb.after(0.2 * i, function() print("tick " .. i) end) end'
key Enter
types 'half a line'
sees 'tick 2'
sees '> half a line'
key C-c
key Up
sees '> sb.after(0.2 * i'
key C-u
types 'st'
key Tab Tab
sees 'state'
key C-u

# --- keys that reload; a lone Escape stops nothing
types 'r'
key Enter
sees 'reloaded bell.lua'
key Escape
sleep 0.3 # or it would be Meta+R
types 'R'
sees 'reset bell.lua'
types 'sb.now() > 0'
key Enter
sees 'true'

# --- the end leaves the terminal as it was
key C-d
sees 'code 0'
sees 'icanon echo settings'
holds grep -q '^sb.now() > 0$' "$work/state/sandbell/history"
tmux kill-server

# --- so do Ctrl-C and Ctrl-\, after which the recording is whole, and a crash
for ends in C-c 'C-\'; do
    screen=$((screen + 1))
    rm -f "$work/r.wav"
    tmux new-session -d -x 40 -y 10 sh "$work/go"
    sees '> '
    key "$ends"
    sees 'code 130'
    sees 'icanon echo settings'
    holds "$facts" wav "$work/r.wav"
    tmux kill-server
done
screen=$((screen + 1))
tmux new-session -d -x 40 -y 10 sh "$work/go"
sees '> '
kill -s ABRT "$(cat "$work/pid")"
sees 'code 134'
sees 'icanon echo settings'
finish
