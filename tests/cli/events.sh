#!/bin/sh
# SPDX-License-Identifier: MIT
# render --events: a line for every impact, as it was measured.
. "$(dirname "$0")/lib.sh"

cat >"$work/wall.lua" <<'END'
local sb = require "sandbell"
local wall = sb.body("a \"wall\"", { shape = sb.rigid {}, material = "steel" })
local bar = sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel" })
function scene.start()
  sb.go(function()
    sb.sleep(0.1)
    -- Steel on steel at 1 m/s: 35.327 us, 428.053 N.
    wall:strike { speed = 1, radius = 0.005, material = "steel", gravity = 0 }
    sb.sleep(0.1)
    -- d = lambda v / K = 0.5: e = 0.74843.
    wall:strike { speed = 2, mass = 0.01, stiffness = 1e8, lambda = 0.25e8, gravity = 0 }
    bar:strike { impulse = 0.02 }
    sb.sleep(0.1)
    bar:strike { speed = 1, mass = 0.02, hardness = 1e7 }
    sb.sleep(0.1)
    bar:strike { speed = 1, contact = "gradient", gravity = 0 }
    bar:strike { speed = 1, contact = "kmethod", gravity = 0, at = { 0.1, 0.5 } }
  end)
end
END

# field KEY LINE
field() { sed -n "$2p" e.jsonl | sed "s/.*\"$1\":\([^,}]*\).*/\1/"; }

expect 0 render "$work/wall.lua" --duration 1 -o e.wav --events e.jsonl
holds test "$(wc -l <e.jsonl)" -ge 6
holds grep -q '"a":"a \\"wall\\"","b":"steel","contact":"gradient"' e.jsonl
between "$(field t 1)" 0.09999 0.10001 'the first time'
between "$(field duration_s 1)" 35.2e-6 35.4e-6 'how long it lasts'
between "$(field peak_force_n 1)" 426 430 'its force'
between "$(field restitution 1)" 0.999999 1.000001 'what is left'
between "$(field restitution 2)" 0.745 0.752 'what is left after a loss'
between "$(field speed_in 2)" 1.999 2.001 'the speed'
equal "$(field contact 3)" '"impulse"' 'an impulse'
equal "$(field impulse_ns 3)" 0.02 'its size'
equal "$(field restitution 3)" null 'its unknown restitution'
equal "$(field contact 4)" '"pulse"' 'a pulse'
holds grep -q '"contact":"kmethod"' e.jsonl
sort -t: -k2 -g e.jsonl >sorted.jsonl
same e.jsonl sorted.jsonl

# The same scene, the same lines; another rate, the same numbers.
mv e.jsonl a.jsonl
expect 0 render "$work/wall.lua" --duration 1 -o e.wav --events e.jsonl
same a.jsonl e.jsonl
for rate in 44100 96000 192000; do
    expect 0 render "$work/wall.lua" --duration 1 -o e.wav --events e.jsonl --rate $rate
    between "$(field duration_s 1)" 35.2e-6 35.4e-6 "how long it lasts at $rate"
    between "$(field peak_force_n 1)" 426 430 "its force at $rate"
    between "$(field restitution 2)" 0.745 0.752 "what is left at $rate"
done

# A ball on a thin plate that bends is told as the simulation computed it, to all
# alike. Until its edges answer, the plate yields as an endless one (Zener):
# m x'' = -F, F = K d^1.5, and its surface has the speed F / (8 sqrt(D rho h)).
# An estimate from the linear modes is 6 % off in the time of contact.
cat >"$work/bends.lua" <<'END'
local sb = require "sandbell"
sb.world { gravity = { 0, 0, 0 } }
local plate = sb.deformable("plate", { shape = sb.plate { width = 0.16, depth = 0.16, thickness = 0.002 },
  material = sb.material("S", { base = "steel", density = 7850, youngs_modulus = 200e9, poisson_ratio = 0.3 }),
  elements = 16, motion = "free" })
function scene.start()
  plate:strike { speed = 1, mass = 0.01, stiffness = 1e8, exponent = 1.5, lambda = 0, at = { u = 0.5, v = 0.5 } }
end
local function tell(who, of)
  print(string.format("%s %.10g %.10g %.10g", who, of.impulse, of.duration, of.restitution))
end
function scene.contact(c)
  tell("contact", c)
  for _, strike in ipairs(sb.strikes()) do tell("strikes", strike) end
end
END
expect 0 render "$work/bends.lua" --duration 0.02 -o e.wav --events e.jsonl
equal "$(wc -l <e.jsonl)" 1 'strikes of a plate that bends'
computed=$(printf '%.10g %.10g %.10g' "$(field impulse_ns 1)" "$(field duration_s 1)" "$(field restitution 1)")
equal "$(cat "$out" "$err" | grep -E '^(contact|strikes) ')" "contact $computed
strikes $computed" 'what scripts and lessons are told'
# shellcheck disable=SC2046 # four words
set -- $(awk 'BEGIN {
    h = 0.002; rho = 7850; m = 0.01; K = 1e8; v = 1; dt = 1e-9
    D = 200e9 * h ^ 3 / 12 / (1 - 0.3 ^ 2)
    while (t == 0 || d > 0) {
        F = d > 0 ? K * d ^ 1.5 : 0
        J += F * dt; v -= F / m * dt; t += dt
        d += (v - F / (8 * sqrt(D * rho * h))) * dt
        if (F > most) most = F
    }
    print J, t, J * (1 / m + 1 / (rho * h * 0.16 ^ 2)) - 1, most
}')
between "$(field impulse_ns 1) / $1" 0.995 1.005 'its impulse'
between "$(field duration_s 1) / $2" 0.995 1.005 'how long it lasts'
between "$(field restitution 1) / $3" 0.99 1.01 'what is left'
between "$(field peak_force_n 1) / $4" 0.995 1.005 'its force'

# Both bodies are named. Micro-impacts have their own kind and depend on the seed.
cat >"$work/two.lua" <<'END'
local sb = require "sandbell"
local bar = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }
local a = sb.body("a", { shape = bar, material = "steel" })
local b = sb.body("b", { shape = bar, material = "glass" })
local ball = sb.body("ball", { shape = sb.rigid { radius = 0.005 }, material = "steel" })
function scene.start()
  a:strike { speed = 1, with = b, contact = "pulse" }
  a:strike { speed = 1, with = ball, gravity = 0, scatter = 20 }
end
END
expect 0 render "$work/two.lua" --duration 0.5 -o e.wav --events e.jsonl
holds grep -q '"kind":"strike","a":"a","b":"b","contact":"pulse"' e.jsonl
holds grep -q '"kind":"strike","a":"a","b":"ball","contact":"gradient"' e.jsonl
micro_impacts() { grep '"kind":"scatter"' "$1" | wc -l; }
between "$(micro_impacts e.jsonl)" 5 60 'micro-impacts'
mv e.jsonl a.jsonl
expect 0 render "$work/two.lua" --duration 0.5 -o e.wav --events e.jsonl --seed 2
holds test "$(md5sum <a.jsonl)" != "$(md5sum <e.jsonl)"

# A strike at 60 degrees slides for 0.06 sin^2 s and ends then.
cat >"$work/graze.lua" <<'END'
local sb = require "sandbell"
local bar = sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel" })
local t = math.pi / 3
sb.after(0.2, function() bar:strike { speed = 2, direction = { math.sin(t), -math.cos(t), 0 }, graze = true } end)
END
expect 0 render "$work/graze.lua" --duration 0.5 -o e.wav --events e.jsonl
begin=$(sed -n 's/.*"t":\([0-9.]*\),"kind":"slide".*"phase":"begin".*/\1/p' e.jsonl)
end=$(sed -n 's/.*"t":\([0-9.]*\),"kind":"slide".*"phase":"end".*/\1/p' e.jsonl)
between "$(awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }')" 0.0449 0.0451 'seconds of the slide, exact 0.045'

# One blow, and a ball that bounces: sqrt(8 h / g) = 2 v / g lies between the
# first two. Their places are in the world: the bar stands upright.
cat >"$work/blow.lua" <<'END'
local sb = require "sandbell"
local wall = sb.body("wall", { shape = sb.rigid {}, material = "steel" })
local bar = sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel",
  position = { 1, 2, 3 }, rotation = { 0, 0, 1, math.pi / 2 } })
local sheet = sb.body("sheet", { shape = sb.plate { width = 0.2, depth = 0.2, thickness = 0.0008 }, material = "steel" })
function scene.start()
  wall:strike { speed = 1, mass = 0.01 }
  wall:strike { speed = 1, mass = 0.02, bounce = true }
  bar:strike { speed = 1, at = { u = 0.1, v = 0.5 } }
  sheet:strike { speed = 1 }
end
END
expect 0 render "$work/blow.lua" --duration 0.5 -o e.wav --events e.jsonl
grep '"a":"wall"' e.jsonl >wall.jsonl
equal "$(grep -c '"bounces":false' wall.jsonl)" 1 'blows on the wall'
equal "$(grep -c '"bounces":true' wall.jsonl)" 3 'bounces in half a second'
equal "$(grep '"bounces":true' wall.jsonl | sed 's/.*"before":\([0-9]*\).*/\1/' | tr '\n' ' ')" '0 1 2 ' 'their order'
between "$(grep '"before":1' wall.jsonl | sed 's/.*"t":\([^,]*\).*/\1/')" 0.2035 0.2045 'when it lands again'
# The sheet yields in steps: the blow goes on until the striker moves away.
grep '"a":"sheet"' e.jsonl >sheet.jsonl
between "$(tail -n 1 sheet.jsonl | sed 's/.*"t":\([^,]*\).*/\1/')" 0 0.005 'the last contact of the blow'
equal "$(grep -vc '"speed_out":-' sheet.jsonl)" 1 'contacts after which it moves away'
holds test "$(tail -n 1 sheet.jsonl | grep -c '"speed_out":-')" -eq 0
grep '"a":"bar"' e.jsonl >bar.jsonl
equal "$(wc -l <bar.jsonl)" 1 'blows on the bar'
holds grep -q '"u":0.1' bar.jsonl
# u = 0.1 lies 0.08 before the middle, along -x of the bar, -y of the world;
# its upper face is at -x of the middle.
vector() { sed "s/.*\"$1\":\[\([^]]*\).*/\1/" bar.jsonl | cut -d, -f"$2"; }
between "$(vector point 1)" 0.99749 0.99751 'x of the place'
between "$(vector point 2)" 1.91999 1.92001 'y of the place'
between "$(vector normal 1)" 0.99999 1.00001 'the normal, into the bar'

# Nothing is later than the end, however the render ends.
latest() { sed 's/.*"t":\([^,]*\).*/\1/' "$1" | sort -g | tail -n 1; }
between "$(latest e.jsonl)" 0 0.5 'the last event'
cat >"$work/long.lua" <<'END'
local sb = require "sandbell"
local bar = sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "wood" })
local floor = sb.body("floor", { shape = sb.floor {}, position = { 0, -1, 0 } })
local ball = sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = { 1, 0, 0 } })
function scene.start()
  bar:strike { impulse = 0.01 }
  bar:contact { kind = "slide", force = 2, speed = 0.1, material = "steel" }
  sb.body("wall", { shape = sb.rigid {}, material = "steel", position = { 9, 0, 0 } }):strike { speed = 1, mass = 0.01, bounce = true }
end
END
sed -i 's/"wood"/"oak"/' "$work/long.lua"
for span in '--duration 0.123' '--until-silent -20 --limit 0.3'; do
    # shellcheck disable=SC2086
    expect 0 render "$work/long.lua" $span -o e.wav --events e.jsonl --poses p.jsonl --json
    end=$(json duration_s)
    between "$(latest e.jsonl)" 0.1 "$end" "the last event with $span"
    between "$(latest p.jsonl)" 0.1 "$end" "the last pose with $span"
done

# Forces of what rolls and slides, of the script and of the world. A cube on a
# slope of 40 degrees presses with m g cos 40.
cat >"$work/forces.lua" <<'END'
local sb = require "sandbell"
sb.world { impact = "gradient" }
local board = sb.body("board", { shape = sb.plate { width = 0.6, depth = 0.3, thickness = 0.01 }, material = "oak" })
sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.04, thickness = 0.01 }, material = "steel", position = { -3, 0, 0 } })
sb.body("ball", { shape = sb.rigid { radius = 0.01 }, material = "steel", motion = "free", position = { -3, 0.1, 0 } })
sb.body("slope", { shape = sb.rigid {}, collider = { kind = "box", width = 2, height = 0.05, depth = 1 }, friction = 0.2, restitution = 0,
  position = { 5, 0, 0 }, rotation = { 0, 0, 1, math.rad(40) } })
local up = { -math.sin(math.rad(40)), math.cos(math.rad(40)) }
sb.body("cube", { shape = sb.rigid { radius = 0.05 }, collider = { kind = "box", width = 0.1, height = 0.1, depth = 0.1 }, mass = 0.7,
  friction = 0.2, restitution = 0, motion = "free",
  position = { 5 + 0.077 * up[1], 0.077 * up[2], 0 }, rotation = { 0, 0, 1, math.rad(40) } })
function scene.start()
  local marble = board:contact { kind = "roll", radius = 0.008, material = "glass", at = { u = 0, v = 0.5 }, force = 1 }
  marble:set { speed = 0.5, at = { u = 1, v = 0.5 }, force = 3, ramp = 0.4 }
  sb.after(0.3, function() marble:stop() end)
  print(0.7 * 9.81 * math.cos(math.rad(40)))
end
END
expect 0 render "$work/forces.lua" --duration 0.5 -o e.wav --events e.jsonl
weight=$(cat "$out" "$err" | grep -E '^[0-9.]+$')
grep '"a":"board"' e.jsonl >roll.jsonl
roll() { sed -n "$1p" roll.jsonl | sed "s/.*\"$2\":\([^,}]*\).*/\1/"; }
equal "$(roll 1 phase)" '"begin"' 'its beginning'
equal "$(roll 32 phase) $(roll 32 t)" '"end" 0.3' 'its end'
equal "$(wc -l <roll.jsonl)" 32 'lines of the marble'
between "$(roll 21 t)" 0.1999 0.2001 'half of the ramp'
between "$(roll 21 force_n)" 1.499 1.501 'the force there'
between "$(roll 21 speed_a)" 0.249 0.251 'the speed there'
between "$(roll 21 u)" 0.499 0.501 'the place there'
holds test "$(grep -c '"kind":"slide"' e.jsonl)" -gt 10
slide=$(grep '"kind":"slide".*"phase":"on"' e.jsonl | sed 's/.*"t":\([^,]*\).*"force_n":\([^,]*\).*/\1 \2/' |
    awk -v w="$weight" '$1 > 0.25 { s += $2; n += !seen[$1]++ } END { print s / n / w }')
between "$slide" 0.9 1.1 'the mean force of the cube, in m g cos'
holds grep -q '"kind":"impact".*"force_n":[1-9]' e.jsonl

# Every field is in the guide, in the table of its form; and none is missing.
fields() { tr '{,' '\n\n' | sed -n 's/^"\([a-z_]*\)":.*/\1/p' | sort -u; }
# told HEADING: the fields of a table of the guide
told() {
    awk -v head="## $1" '$0 == head { on = 1; next } /^## / { on = 0 } on && /^\| `/ { print }' \
        "$root/scripts/guide/events.md" | cut -d'|' -f2 | tr -d '` ' | tr ',' '\n' | sort -u
}
expect 0 render "$work/wall.lua" --duration 1 -o e.wav --events s.jsonl
expect 0 render "$work/long.lua" --duration 0.2 -o e.wav --events l.jsonl --poses p.jsonl
check_form() {
    told 'Every line of `--events`' >wanted
    told "$1" | cat - wanted | sort -u >all
    fields >got
    same all got
}
grep '"kind":"strike"' s.jsonl | check_form Strikes
grep '"kind":"impact"' e.jsonl | check_form 'Impacts of the world'
grep '"phase"' e.jsonl l.jsonl | sed 's/^[^{]*//' | check_form 'Lasting contacts'
told '`--poses`' >all
fields <p.jsonl >got
same all got

expect 2 render "$work/wall.lua" --duration 0.1 -o e.wav --events nowhere/e.jsonl
says err 'nowhere'
finish
