#!/bin/sh
# SPDX-License-Identifier: MIT
# render of a world: its line, --events and --poses.
. "$(dirname "$0")/lib.sh"

cat >"$work/drop.lua" <<'END'
local sb = require "sandbell"
sb.listener { gain = 0.1 }
sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.004 }, material = "steel", restitution = 0.8 })
sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = { 0.05, 1.012, 0 },
  restitution = 0.8 })
END

# field KEY LINE FILE
field() { sed -n "$2p" "$3" | sed "s/.*\"$1\":\([^],}]*\).*/\1/"; }

expect 0 render "$work/drop.lua" -o d.wav --events e.jsonl --poses p.jsonl
holds grep -q '^world: 2 bodies, [0-9]* steps per second of 4 substeps or more$' "$err"
equal "$(field kind 1 e.jsonl)" '"impact"' 'what happens first'
between "$(field t 1 e.jsonl)" 0.45150 0.45155 'when it lands'
between "$(field t 2 e.jsonl)" 1.17394 1.17398 'when it lands again'
between "$(field speed 1 e.jsonl)" 4.429 4.430 'how fast'
between "$(field impulse_ns 1 e.jsonl)" 0.2616 0.2627 'with which impulse'
equal "$(tail -n 1 e.jsonl | sed 's/.*"kind":\("[a-z]*"\).*/\1/')" '"rest"' 'what happens last'
holds test "$(wc -l <p.jsonl)" -gt 400
between "$(field t 10 p.jsonl)" 0.0999 0.1011 'the tenth time'
holds grep -q '"body":"ball","position":\[0.05' p.jsonl
holds test "$(grep -c plate p.jsonl)" -eq 0
# The force of a half-sine: pi / 2 J / T, less than the rigid bodies exchange.
force=$(awk -v j="$(field impulse_ns 1 e.jsonl)" -v t="$(field duration_s 1 e.jsonl)" -v f="$(field force_n 1 e.jsonl)" \
    'BEGIN { print f / (1.5707963 * j / t) }')
between "$force" 0.2 1 'the force of the impact, of that of rigid bodies'

# What a sound designer sets for strikes holds for impacts, and moves nothing. The
# ball lands at v = 1.93 m/s and slips by 0.5 m/s.
cat >"$work/bent.lua" <<'END'
local sb = require "sandbell"
sb.listener { gain = 0.1 }
local bent = { {}, { curve = { { 1, 0.5 }, { 10, 0.5 } } }, { limit = 0.01 }, { stiffening = 1e5 }, { onset = 0.5 }, { scatter = 10 },
  { graze = true } }
sb.world(bent[sb.param("which", { min = 1, max = 7, default = 1 })()])
sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.004 }, material = "steel", restitution = 0.5 })
sb.body("ball", { shape = sb.sphere { radius = 0.008 }, material = "steel", motion = "free", position = { 0, 0.2, 0.02 },
  velocity = { 0.5, 0, 0 } })
END
# bent WHICH: "force duration" of its first impact, as shares of those of the plain one.
bent() {
    expect 0 render "$work/bent.lua" -o b.wav --events b.jsonl --duration 0.3 --set which="$1"
    equal "$(field t 1 b.jsonl) $(field impulse_ns 1 b.jsonl)" "$when" 'the motion'
    awk -v f="$(field force_n 1 b.jsonl)" -v t="$(field duration_s 1 b.jsonl)" -v f1="$force" -v t1="$long" \
        'BEGIN { print f / f1, t / t1 }' >shares
}
expect 0 render "$work/bent.lua" -o b.wav --events b.jsonl --duration 0.3
force=$(field force_n 1 b.jsonl) long=$(field duration_s 1 b.jsonl)
when="$(field t 1 b.jsonl) $(field impulse_ns 1 b.jsonl)"
# Hertz: T goes with v^-1/5; the impulse with v.
bent 2
between "$(cut -d' ' -f2 shares)" 1.309 1.312 'duration by a curve, exact (1.9308 / 0.5)^0.2 = 1.3102'
between "$(cut -d' ' -f1 shares)" 0.197 0.199 'force by a curve, exact 0.5 / 1.9308 / 1.3102 = 0.1977'
bent 3
limit=$(awk -v f="$force" -v t="$long" 'BEGIN { print 0.01 / (f * t / 1.5707963) }')
between "$(awk -v x="$limit" '{ print $1 / x }' shares)" 0.999 1.001 'force by a limit of the impulse'
bent 4
between "$(cut -d' ' -f2 shares)" 0.5 0.8 'duration of a surface that stiffens'
between "$(awk '{ print $1 * $2 }' shares)" 0.999 1.001 'its impulse'
# a^2 + 2/3 (v / v0) a^3 = 1
bent 5
between "$(awk '{ a = $2; print a * a + 2 / 3 * 1.93075 / 0.5 * a * a * a }' shares)" 0.999 1.001 'the law of the onset'
bent 6
between "$(grep -c '"kind":"scatter"' b.jsonl)" 8 40 'micro-impacts, 19.3 expected'
bent 7
slide=$(sed -n 's/.*"t":\([0-9.]*\),"kind":"slide".*"phase":"end".*/\1/p' b.jsonl | head -n 1)
between "$(awk -v a="$(field t 1 b.jsonl)" -v b="$slide" 'BEGIN { print b - a }')" 0.00376 0.00378 \
    'seconds that it grazes, exact 0.06 0.25 / (0.25 + 1.9308^2)'

# A body's own impacts replace all that sb.world says; of two that have them, those of the first are played. Two balls
# land as one, 4 cm apart: a curve of the one, an onset for all, a limit of the plate. A reload brings the curve in flight.
cat >"$work/own.lua" <<'END'
local sb = require "sandbell"
local which = sb.param("which", { min = 1, max = 4, default = 1 })()
state.loads = (state.loads or 0) + 1
sb.listener { gain = 0.1 }
sb.world(which == 2 and { onset = 0.5 } or {})
sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.004 }, material = "steel", restitution = 0.5,
  impacts = which == 3 and { limit = 0.01 } or nil })
local function ball(name, z, impacts)
  sb.body(name, { shape = sb.sphere { radius = 0.008 }, material = "steel", motion = "free", position = { 0, 0.2, z },
    impacts = impacts })
end
ball("plain", 0.02)
ball("bent", -0.02, (which < 4 or state.loads == 2) and { curve = { { 1, 0.5 }, { 10, 0.5 } }, scatter = 10 } or nil)
function scene.start() if which == 4 then sb.after(0.1, sb.reload) end end
END
# own WHICH: "force duration" of the first impact of the bent ball, as shares of those of the plain one.
own() {
    expect 0 render "$work/own.lua" -o o.wav --events o.jsonl --duration 0.25 --set which="$1"
    grep '"plain"' o.jsonl >plain.jsonl
    grep '"bent"' o.jsonl >bent.jsonl
    equal "$(field a 1 bent.jsonl)" '"plate"' 'the body that is named first'
    equal "$(field t 1 bent.jsonl)" "$(field t 1 plain.jsonl)" 'when the other lands'
    awk -v f="$(field force_n 1 bent.jsonl)" -v t="$(field duration_s 1 bent.jsonl)" -v f1="$(field force_n 1 plain.jsonl)" \
        -v t1="$(field duration_s 1 plain.jsonl)" 'BEGIN { print f / f1, t / t1 }' >shares
}
for which in 1 4; do
    own "$which"
    between "$(cut -d' ' -f2 shares)" 1.309 1.312 "duration by the curve of one body ($which), exact 1.3102"
    between "$(cut -d' ' -f1 shares)" 0.197 0.199 "force by the curve of one body ($which), exact 0.1977"
    between "$(awk -v t="$(field duration_s 1 plain.jsonl)" -v t1="$long" 'BEGIN { print t / t1 }')" 0.999 1.001 \
        "duration of the other's impact ($which)"
    between "$(grep -c '"kind":"scatter"' bent.jsonl)" 8 40 "micro-impacts of the one ($which), 19.3 expected"
    equal "$(grep -c '"kind":"scatter"' plain.jsonl)" 0 "micro-impacts of the other ($which)"
done
own 2
between "$(awk '{ a = 1.3102 / $2; print a * a + 2 / 3 * 1.93075 / 0.5 * a * a * a }' shares)" 0.995 1.005 \
    'the law of the onset for the other body alone'
own 3
between "$(cut -d' ' -f1 shares)" 0.999 1.001 'force where the plate has its own limit'
between "$(awk -v f="$(field force_n 1 bent.jsonl)" -v t="$(field duration_s 1 bent.jsonl)" \
    'BEGIN { print f * t / 1.5707963 / 0.01 }')" 0.999 1.001 'impulse by that limit'

# A world that begins while the scene runs.
cat >"$work/late.lua" <<'END'
local sb = require "sandbell"
sb.world { rate = 2000 }
sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.2, thickness = 0.004 }, material = "steel" })
function scene.start()
  sb.after(0.1, function()
    sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = { 0.05, 0.1, 0 } })
  end)
end
END
expect 0 render "$work/late.lua" -o late.wav --duration 0.3
equal "$(grep -c '^world: 2 bodies, 2000 steps per second of [0-9]* substeps or more$' "$err")" 1 'lines about a late world'

# What begins inside another is named also when the script makes it late.
cat >"$work/inside.lua" <<'END'
local sb = require "sandbell"
sb.body("table", { shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.02, max_hz = 2000 }, material = "oak" })
function scene.start()
  sb.go(function()
    sb.sleep(0.1)
    sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = { 0, 0.016, 0 } })
  end)
end
END
expect 0 render "$work/inside.lua" -o inside.wav --duration 0.3
equal "$(grep -c "'ball' (sphere) begins 4 mm inside 'table' (box)" "$err")" 1 'lines about a late ball inside a table'

# A turning body: its rotation is that of body:rotation().
cat >"$work/turn.lua" <<'END'
local sb = require "sandbell"
local top = sb.body("top", { shape = sb.box { width = 0.1, height = 0.1, depth = 0.2 }, material = "oak", motion = "free",
  position = { 0, 100, 0 }, rotation = { 0, 1, 0, 1 } })
function scene.start() top:spin { 0, 3, 0 } end
function scene.update() if sb.now() > 0.199 then local r = top:rotation() print(("%.9f %.9f"):format(r[2], r[4])) end end
END
expect 0 render "$work/turn.lua" -o t.wav --duration 0.205 --poses t.jsonl
angle=$(sed -n 's/.*"rotation":\[\([^]]*\)\].*/\1/p' t.jsonl | tail -n 1)
between "$(echo "$angle" | cut -d, -f2)" 0.999999 1.000001 'its axis'
between "$(echo "$angle" | cut -d, -f4)" 1.58 1.62 'its angle: 1 + 3 t'

# Until all rests, and the same again.
mv d.wav first.wav
mv e.jsonl first.jsonl
expect 0 render "$work/drop.lua" -o d.wav --events e.jsonl
same first.wav d.wav
same first.jsonl e.jsonl

expect 2 render "$work/drop.lua" -o d.wav --poses no/such/folder.jsonl

finish
