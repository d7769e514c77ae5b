#!/bin/sh
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
