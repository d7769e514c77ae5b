#!/bin/sh
# SPDX-License-Identifier: MIT
# render --contacts and --contact-plot: one contact, sample by sample.
. "$(dirname "$0")/lib.sh"

cat >"$work/some.lua" <<'LUA'
local sb = require "sandbell"
local wall = sb.body("wall", { shape = sb.rigid {}, material = "steel" })
local bar = sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel" })
function scene.start()
  -- 1: steel on a steel half-space at 1 m/s: 428.053 N, 12.0 um, 8.2205e-3 N s.
  wall:strike { speed = 1, radius = 0.005, material = "steel", gravity = 0 }
  sb.go(function()
    sb.sleep(0.05)
    bar:strike { speed = 1, mass = 0.02, radius = 0.01, material = "rubber", gravity = 0, scatter = 5 } -- 2
    local bow = bar:contact { kind = "rub", force = 2, slip = 0.1 } -- 3
    sb.sleep(0.05)
    bow:stop()
    local nail = bar:contact { kind = "slide", speed = 0.5, slip = 0.5, force = 1 } -- 4
    sb.sleep(0.05)
    nail:stop()
    bar:strike { impulse = 0.02 } -- 5
    bar:strike { speed = 0.5, mass = 0.02, hardness = 1e5, contact = "pulse" } -- 6
    wall:strike { impulse = 0.03 } -- 7
  end)
end
LUA

# Sum or maximum of column N.
sum() { awk -F, -v n="$1" 'NR > 1 { s += $n } END { printf "%.9g\n", s }' c.csv; }
most() { awk -F, -v n="$1" 'NR > 1 && (NR == 2 || $n + 0 > m) { m = $n + 0 } END { printf "%.9g\n", m }' c.csv; }
watch() { rm -f c.csv; expect 0 render "$work/some.lua" --duration 0.4 -o c.wav --contacts c.csv --contact "$@"; }

watch 1 --rate 384000
equal "$(head -1 c.csv)" 't_s,force_n,depth_m,speed_a_m_s,speed_b_m_s,energy_in_j,energy_kept_j,energy_lost_j,drift' 'the head'
between "$(most 2)" 420 428.1 'the greatest force'
between "$(most 3)" 11.8e-6 12.1e-6 'how deep it goes'
between "$(awk "BEGIN { print $(sum 2) / 384000 }")" 8.21e-3 8.23e-3 'the impulse'
between "$(most 6)" 2.055e-3 2.056e-3 'the energy that came in'
between "$(most 9)" -1e-9 1e-9 'the drift'

# Contacts are counted in the order in which they begin, micro-impacts left out.
watch 2
equal "$(sed -n 2p c.csv | cut -d, -f1)" 0.050020833 'the first sample'
between "$(most 6)" 0.0099 0.0101 'the energy that came in'
between "$(sed -n 2p c.csv | cut -d, -f5)" 0.99 1 'the speed that it came with'
between "$(awk -F, 'NR > 1 && ($9 > 1e-9 || $9 < -1e-9)' c.csv | wc -l)" 0 0 'samples that drift'
watch 3
between "$(most 5)" 0.0999 0.1001 'the speed of what rubs'
between "$(most 2)" 0.4 0.9 'what it drags with'
# A force that is computed in advance leaves columns 3 and 6 to 9 empty.
watch 4
between "$(most 4)" 0.49 0.51 'the speed over the surface'
equal "$(sed -n 2p c.csv | cut -d, -f3,6-9)" ',,,,' 'what is not known'
watch 5
equal "$(wc -l <c.csv)" 2 'lines of an impulse'
between "$(awk "BEGIN { print $(sum 2) / 48000 }")" 0.01999 0.02001 'an impulse'
watch 6
holds test "$(wc -l <c.csv)" -gt 2
watch 7
between "$(awk "BEGIN { print $(sum 2) / 48000 }")" 0.02999 0.03001 'an impulse on what does not ring'

# The same bytes again, and a picture.
watch 2 --contact-plot c.png
mv c.csv a.csv
mv c.png a.png
watch 2 --contact-plot c.png
same a.csv c.csv
same a.png c.png
holds test "$(head -c 4 c.png | tail -c 3)" = PNG
rm c.csv c.png
expect 0 render "$work/some.lua" --duration 0.4 -o c.wav --contact-plot c.png
holds test -s c.png
rm c.png

# Without a contact there is no file.
expect 2 render "$work/some.lua" --duration 0.4 -o c.wav --contacts c.csv --contact-plot c.png --contact 8
says err 'there is no contact 8; the scene began 7'
holds test ! -e c.csv
holds test ! -e c.png
expect 2 render "$work/some.lua" --duration 0.4 -o c.wav --contacts c.csv --contact 1.5
says err 'whole number'
expect 2 render "$work/some.lua" --duration 0.4 -o c.wav --contact-plot c.wav
says err '.png'
expect 2 render "$work/some.lua" --duration 0.1 -o c.wav --contacts nowhere/c.csv
says err 'nowhere'

# sb.stats() counts from its first call on.
cat >"$work/stats.lua" <<'LUA'
local sb = require "sandbell"
local bar = sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "rubber" })
function scene.start()
  sb.stats()
  sb.go(function()
    bar:strike { speed = 1, mass = 0.02, radius = 0.01, material = "steel", gravity = 0 }
    sb.sleep(0.1)
    local s = sb.stats()
    print(string.format("%.9g %.9g %.3g", s.energy_in, s.energy_in - s.energy_out - s.energy_now, s.energy_drift))
    sb.sleep(2.5)
    s = sb.stats()
    print(string.format("%.9g %.9g", s.energy_now, s.energy_in - s.energy_out))
  end)
end
LUA
expect 0 render "$work/stats.lua" --duration 3 -o c.wav
said() { cat "$out" "$err" | grep -E '^[-0-9.e+]+ [-0-9.e+ ]+$' | sed -n "$1p" | cut -d' ' -f"$2"; }
between "$(said 1 1)" 0.009999 0.010001 'what came in'
between "$(said 1 2)" -1e-11 1e-11 'what is left over'
between "$(said 1 3)" -1e-9 1e-9 'the drift'
equal "$(said 2 1)" 0 'what is there in the end'
between "$(said 2 2)" -1e-11 1e-11 'what went out less than came in'
# --- more than the audio thread has time for: left out, and said once
cat >"$work/left.lua" <<'LUA'
local sb = require "sandbell"
local list = {}
for i = 1, 2000 do list[i] = { 50 + 8 * i, 1, 30 } end
local soft = sb.body("soft", { shape = sb.modes(list) })
local left = 0
sb.every(0.01, function()
  local contact, why, code = soft:contact { kind = "profile", force = 1, speed = 0.3 }
  if contact then return end
  assert(code == "QUEUE_FULL" and why:find("no time for it", 1, true), why)
  left = left + 1
  if left == 2 then print("left out: two") end
end)
LUA
expect 0 run "$work/left.lua" --backend null --for 1
equal "$(grep -c 'has no time for all contacts' "$out" "$err" | awk -F: '{ n += $2 } END { print n }')" 1 'lines that say it'
[ "$(cat "$out" "$err" | grep -c 'left out: two')" = 1 ] || fault 'nothing was left out'

finish
