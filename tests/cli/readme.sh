#!/bin/sh
# The Lua in README.md works: every block passes `sandbell check`.
[ -f "$3/README.md" ] || { echo 'skipped: there is no README.md'; exit 77; }
. "$(dirname "$0")/lib.sh"

# Block n, from its first line to its last, in n.lua.
awk '/^```lua/ { n++; inside = 1; next } /^```/ { inside = 0 } inside { print > (n ".lua") }' "$root/README.md"
blocks=0
for block in ./*.lua; do
    [ -e "$block" ] || break
    blocks=$((blocks + 1))
    expect 0 check "$block" --for 3
    [ "$code" -eq 0 ] || sed 's/^/  block | /' "$block"
done
[ "$blocks" -gt 0 ] || fault 'README.md has no block of Lua'
echo "$name: $blocks blocks"
finish
