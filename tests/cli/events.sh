#!/bin/sh
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

expect 2 render "$work/wall.lua" --duration 0.1 -o e.wav --events nowhere/e.jsonl
says err 'nowhere'
finish
