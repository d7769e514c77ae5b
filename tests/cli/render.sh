#!/bin/sh
# SPDX-License-Identifier: MIT
# render: the files it writes, its messages, and equal bytes every time.
. "$(dirname "$0")/lib.sh"

bell=$work/bell.lua
put_scene 0.3 "$bell"

# --- a plain render: one line on stdout, a line per 10 % on stderr
expect 0 render "$bell" --duration 1 -o a.wav
lines out 1
says out 'a.wav: 1.00 s, peak '
says err 'rendering 10 %'
says err 'rendering 90 %'
holds [ "$(wc -l <"$err")" -le 12 ]
holds sh -c "! grep -q '[[:cntrl:]]' '$err'"
equal "$("$facts" wav a.wav | cut -d' ' -f1-3)" '48000 2 48000' 'rate, channels, frames'
between "$("$facts" wav a.wav | cut -d' ' -f4)" -40 -0.05 'the peak'

# --- equal bytes again, however the options are written
expect 0 render "$bell" --duration 1 -o b.wav
same a.wav b.wav
expect 0 render "$bell" --duration=1 --output=b.wav
same a.wav b.wav
(cd "$work" && "$sandbell" render bell.lua --duration 1 >"$out" 2>"$err") || fault 'render without -o'
same a.wav "$work/bell.wav"

# --- equal bytes although the script looks at addresses and walks over bodies
cat >"$work/address.lua" <<'END'
local sb = require "sandbell"
local hits, seed = {}, tonumber((tostring {}):match "%x+$", 16)
for i = 1, 30 do
  hits[sb.body("b" .. i, { shape = sb.modes { { 300 + 20 * i, 0.2 } } })] = i
end
function scene.start()
  local t = 0
  for body, i in pairs(hits) do
    t = t + 0.001 * i * (1 + seed % 7)
    sb.after(t, function() body:strike { impulse = 0.01 } end)
  end
  local _, first = next(hits)
  print(first, {}, print, ("%p"):format(hits))
end
END
for file in a1 a2 a3; do
    expect 0 render "$work/address.lua" --duration 0.6 -o $file.wav
    grep -v wav "$out" >$file.txt
done
same a1.wav a2.wav
same a1.wav a3.wav
same a1.txt a2.txt
rm -f a1.* a2.* a3.*

# --- exact lengths
for case in '0.5 48000 24000' '0.1 44100 4410' '0.123456 96000 11852' '0.001 8000 8' '0.33333 192000 63999'; do
    set -- $case
    expect 0 render "$bell" --duration "$1" --rate "$2" -o c.wav
    equal "$("$facts" wav c.wav | cut -d' ' -f1-3)" "$2 2 $3" "frames of --duration $1 --rate $2"
done

# --- formats: 24 bits, floats, FLAC, a pipe
equal "$(od -An -tu2 -j34 -N2 a.wav | tr -d ' ')" 24 'bits'
expect 0 render "$bell" --duration 1 --float -o f.wav
equal "$(od -An -tu2 -j34 -N2 f.wav | tr -d ' ')" 32 'bits with --float'
equal "$("$facts" wav f.wav | cut -d' ' -f4)" "$("$facts" wav a.wav | cut -d' ' -f4)" 'the peak as float'
expect 0 render "$bell" --duration 1 -o f.flac
equal "$("$facts" wav f.flac)" "$("$facts" wav a.wav)" 'the FLAC'
expect 2 render "$bell" --duration 1 --float -o x.flac
expect 2 render "$bell" --duration 1 -o x.mp3
lines err 1
expect 2 render "$bell" --duration 1 -o x
holds test ! -e x
"$sandbell" render "$bell" --duration 1 -o - 2>"$err" | cat >p.wav
same a.wav p.wav
says err 'standard output: 1.00 s'
expect 0 render "$bell" --duration 1 -o - --float
same "$out" f.wav
expect 2 render "$bell" --duration 1 -o - --json
says err '--json and -o - cannot both have standard output'

# --- --json
expect 0 render "$bell" --duration 0.5 --rate 44100 --seed 7 -o j.wav --json
equal "$(json file)" j.wav file
equal "$(json sample_rate)" 44100 sample_rate
equal "$(json frames)" 22050 frames
equal "$(json channels)" 2 channels
equal "$(json seed)" 7 seed
equal "$(json bodies)" 1 bodies
equal "$(json modes)" 2 modes
between "$(json realtime_factor)" 1 1e9 realtime_factor
between "$(json peak_dbfs) - ($("$facts" wav j.wav | cut -d' ' -f4))" -0.001 0.001 peak_dbfs
equal "$(json sha256)" "$(sha256sum j.wav | cut -d' ' -f1)" sha256

# --- what merging and truncation took away
disk() { # further fields of the shape
    cat >"$work/disk.lua" <<END
local sb = require "sandbell"
local disk = sb.body("disk", { shape = sb.disk { radius = 0.1, thickness = 0.004, max_hz = 6000$1 }, material = "steel" })
function scene.start() print("once") disk:strike { at = { 0.8, 0.6 }, speed = 1 } end
END
}
disk ', modes = 9'
expect 0 render "$work/disk.lua" --duration 0.2 -o d.wav --json
gain=$(json listener_gain)
expect 0 render "$work/disk.lua" --duration 0.2 -o d.wav --solo removed --json
equal "$(json listener_gain)" "$gain" 'the gain of --solo removed'
equal "$(json removed)" "$(($(json modes) - 9))" 'modes removed'
disk ', merge = 1'
expect 0 render "$work/disk.lua" --duration 0.2 -o d.wav --solo removed
says out 'only what was removed: '
equal "$(grep -c once "$out")" 1 'lines printed'
rm d.wav
disk ''
expect 4 render "$work/disk.lua" --duration 0.2 -o d.wav --solo removed
says err '--solo removed: nothing was removed: no modes are merged, and their number is not limited'
expect 2 render "$work/disk.lua" -o d.wav --solo kept
says err "--solo needs the word removed, got 'kept'"
holds test ! -e d.wav

# --- seeds and params
cat >"$work/random.lua" <<'END'
local sb = require "sandbell"
local freq = sb.param("freq", { min = 100, max = 2000, default = 440 })
local bell = sb.body("bell", { shape = sb.modes { { freq(), 0.2 } } })
function scene.start() bell:strike { impulse = 0.001 * (1 + math.random()) } end
END
random=$work/random.lua
expect 0 render "$random" --duration 0.3 -o s1.wav
expect 0 render "$random" --duration 0.3 -o s1b.wav --seed 1
same s1.wav s1b.wav
expect 0 render "$random" --duration 0.3 -o s2.wav --seed 2
holds sh -c '! cmp -s s1.wav s2.wav'
expect 0 render "$random" --duration 0.3 -o s3.wav --set freq=880
holds sh -c '! cmp -s s1.wav s3.wav'
expect 0 render "$random" --duration 0.3 -o s4.wav --set freq=100 --set freq=440
same s1.wav s4.wav
expect 2 render "$random" --duration 0.3 -o s5.wav --set freq=1
expect 2 render "$random" --duration 0.3 -o s5.wav --set frq=440
says err "did you mean 'freq'?"
holds test ! -e s5.wav

# --- until silent
expect 0 render "$bell" -o u.wav
between "$("$facts" wav u.wav | cut -d' ' -f3)" 4800 48000 'frames until silent'
between "$("$facts" wav u.wav | cut -d' ' -f5)" -200 -60 'the end'
short=$("$facts" wav u.wav | cut -d' ' -f3)
expect 0 render "$bell" --until-silent -100 -o u.wav
between "$("$facts" wav u.wav | cut -d' ' -f3)" "$((short + 1))" 96000 'frames until -100 dB'
expect 0 render "$bell" --until-silent -200 --limit 0.5 -o u.wav
says err 'still sounding after 0.5 s, cut there'
equal "$("$facts" wav u.wav | cut -d' ' -f3)" 24000 'frames at the limit'
echo 'local sb = require "sandbell" local b = sb.body("b", { shape = sb.modes { { 440, 0.1 } } })
sb.after(1, function() b:strike { impulse = 0.05 } end)' >"$work/later.lua"
expect 0 render "$work/later.lua" -o u.wav # a timer waits: silence is not the end
between "$("$facts" wav u.wav | cut -d' ' -f3)" 57600 96000 'frames of a late strike'
echo 'local sb = require "sandbell" sb.listener { gain = 100 }
local b = sb.body("b", { shape = sb.modes { { 440, 0.1 } }, position = { 0, 0, -400 } })
function scene.start() b:strike { impulse = 0.05 } end' >"$work/far.lua"
expect 0 render "$work/far.lua" -o u.wav # nor is it while sound is on its way
between "$("$facts" wav u.wav | cut -d' ' -f3)" 65600 96000 'frames of a strike 401 m away'
echo '' >"$work/empty.lua"
expect 0 render "$work/empty.lua" -o u.wav
says err 'nothing sounded'

# --- a picture
expect 2 render "$bell" --duration 1 -o a3.wav --spectrogram a3.wav
says err "--spectrogram needs a name that ends in .png, got 'a3.wav'"
holds test ! -e a3.wav
expect 0 render "$bell" --duration 1 -o a2.wav --spectrogram a.png
same a.wav a2.wav
set -- $("$facts" png a.png)
between "${1:-0}" 400 4000 'the width'
between "${2:-0}" 300 4000 'the height'
between "${3:-0}" 20 4096 'the colours'
cp a.png b.png
expect 0 render "$bell" --duration 1 -o a2.wav --spectrogram a.png
same a.png b.png

# --- the spectrum from one time on, or from several
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum s.png
same a.wav a2.wav
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum s0.png --at 0
set -- $("$facts" png s0.png)
between "${1:-0}" 400 4000 'the width of a spectrum'
one=${3:-0}
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum s3.png --at 0,0.3,0.6
set -- $("$facts" png s3.png)
between "$((${3:-0} - one))" 2 400 'the colours of two more'
expect 2 render "$bell" --duration 1 -o a2.wav --spectrum s.wav
says err "--spectrum needs a name that ends in .png, got 's.wav'"
for times in x 1, 0,1,2,3 -1 nan; do
    expect 2 render "$bell" --duration 1 -o a2.wav --spectrum s.png "--at=$times"
    says err 'one to three times in seconds'
done
expect 2 render "$bell" --duration 1 -o a2.wav --at 0.1
expect 2 render "$bell" --duration 1 -o a2.wav --spectrum s.png --at 1.5
says err '--at 1.5: the sound is over after 1.00 s'

# --- predicted lines over the spectrum, in any form that lists frequencies
plain=$("$facts" png s0.png)
printf '# Hz and a label\n\n440 a\n  880.5, b c\r\n1000\n' >l.txt
printf 'mode,freq_hz,t60_s\n1,440,2\n2,880.5,1\n3,1000,1\n' >l.csv
printf '[440, {"freq_hz": 880.5, "label": "b c"}, 1000]' >l.json
expect 0 modes "$bell" --json
cp "$out" m.json
for file in e.json e.csv; do
    expect 0 modes "$root/models/bowl.obj" --material bronze --thickness 0.003 --modes 5 --export $file
done
for file in l.txt l.csv l.json m.json e.json e.csv; do
    expect 0 render "$bell" --duration 1 -o a2.wav --spectrum l.png --at 0 --max-hz 24000 --lines $file
    says_not err 'not drawn'
    same a.wav a2.wav
    holds test "$("$facts" png l.png)" != "$plain"
done
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum l.png --at 0 --max-hz 900 --lines l.txt
says err '1 of 3 lines of l.txt are above 900 Hz and not drawn; --max-hz says how far'
seq 100 2 900 >many.txt
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum l.png --lines many.txt
says err 'many.txt: every 6th line has its label'
try_lines() { # TEXT MESSAGE
    printf "$1" >w.txt
    expect 3 render "$bell" --duration 1 -o w.wav --spectrum w.png --lines w.txt
    says err "$2"
    lines err 1
    holds test ! -e w.wav
    holds test ! -e w.png
}
try_lines '440\n\nx\n' "w.txt, line 3: expected a frequency in Hz above 0, got 'x'"
try_lines '440 a\n-3\n' "w.txt, line 2: expected a frequency in Hz above 0, got '-3'"
try_lines 'nan\n' "w.txt, line 1: expected a frequency in Hz above 0, got 'nan'"
try_lines '440,5\n' "w.txt, line 1: two numbers, '440,5': which is the frequency?"
try_lines '1,440,2\n' "which is the frequency? Give a header with a column freq_hz"
try_lines 'mode,hertz\n1,2\n' "w.txt, line 1: expected a frequency in Hz, or a header with a column freq_hz; got 'mode,hertz'"
try_lines 'mode,freq_hz\n1,2\n2\n' "w.txt, line 3: freq_hz: expected a frequency in Hz above 0, got ''"
try_lines '# nothing\n' 'w.txt contains no frequency'
try_lines '[440, "x"]' 'w.txt: item 2: expected a frequency in Hz above 0'
try_lines '[440,' 'w.txt is not valid JSON'
try_lines '{"a": 1}' 'w.txt: expected an array of frequencies, or an object with modes or bodies'
try_lines '440\000' 'w.txt is not a text: it contains zero bytes'
expect 3 render "$bell" --duration 1 -o w.wav --spectrum w.png --lines nowhere.txt
says err 'nowhere.txt cannot be read: No such file'

# --- a recording beside it: at another rate, the same curve at the same level
expect 0 render "$bell" --duration 1 -o a44.wav --rate 44100
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum o.png --over a.wav
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum o44.png --over a44.wav
says_not err 'ends at'
holds test "$("$facts" png o.png)" != "$plain"
expect 0 render "$bell" --duration 1 -o a8.wav --rate 8000
expect 0 render "$bell" --duration 1 -o a2.wav --spectrum o8.png --over a8.wav --max-hz 6000
says err 'the curve of a8.wav ends at 4000 Hz: its sample rate is 8000 Hz'
expect 2 render "$bell" --duration 1 -o a2.wav --over a.wav
says err '--over needs --spectrum'
expect 2 render "$bell" --duration 1 -o a2.wav --lines l.txt
says err '--lines needs --spectrum'
expect 2 render "$bell" --duration 1 -o a2.wav --max-hz 5000
says err '--max-hz needs --spectrum'
expect 3 render "$bell" --duration 1 -o w.wav --spectrum w.png --over nowhere.wav
says err 'nowhere.wav cannot be read'
expect 3 render "$bell" --duration 1 -o w.wav --spectrum w.png --over l.txt
says err 'l.txt'
holds test ! -e w.wav
expect 0 render "$bell" --duration 0.1 -o short.wav
expect 2 render "$bell" --duration 1 -o a2.wav --spectrum w.png --over short.wav --at 0.5
says err 'short.wav: it is over after 0.10 s, but the spectrum would begin at 0.5'

# --- mistakes in the script: one line, no file
echo 'require("sandbell").body("x", {})' >"$work/wrong.lua"
echo 'function scene.update() if require("sandbell").now() >= 0.5 then error "half way" end end' >"$work/half.lua"
cat >"$work/small.lua" <<'END'
local sb = require "sandbell"
sb.body("mote", { shape = sb.bar { length = 1e-5, width = 1e-5, thickness = 1e-5 }, material = "steel" })
END
expect 1 render "$work/wrong.lua" -o w.wav
says err 'wrong.lua:1: sb.body: shape must be a shape such as sb.bar { ... }, got nil'
lines err 1
lines out 0
expect 1 render "$work/half.lua" -o w.wav --duration 1
says err 'half.lua:1: half way'
lines out 0
expect 4 render "$work/small.lua" -o w.wav
says err "small.lua: body 'mote': "
lines err 1
expect 4 check "$work/small.lua"
expect 4 modes "$work/small.lua"
expect 4 run "$work/small.lua" --backend null --for 0.1
# Errors of the scene, not of the command line and not of a solve.
cat >"$work/springs.lua" <<'END'
local sb = require "sandbell"
sb.deformable("d", {
  shape = sb.plate { width = 0.1, depth = 0.1, thickness = 0.002, method = "springs" }, material = "steel", elements = 2 })
END
echo 'local t = {} for i = 1, 1e9 do t[i] = { i } end' >"$work/hoard.lua"
echo 'local t = {} function scene.update() for i = 1, 2e5 do t[#t + 1] = { i, i, i, i } end end' >"$work/grow.lua"
for scene in 'springs method = "springs" does not deform' 'hoard out of memory: a table may have' 'grow out of memory: a '; do
    expect 1 render "$work/${scene%% *}.lua" -o w.wav --duration 0.3
    says err "${scene%% *}.lua: "
    says err "${scene#* }"
done
expect 1 run "$work/springs.lua" --backend null --for 0.1
holds test ! -e w.wav

# --- --stems: a file per body; together they are the mix
cat >"$work/choir.lua" <<'END'
local sb = require "sandbell"
local function bar(name, x, length)
  return sb.body(name, { shape = sb.bar { length = length, width = 0.02, thickness = 0.005 }, material = "steel", position = { x, 0, 0 } })
end
local a, b = bar("F#3/one", -3, 0.2), bar("F 3/one", 3, 0.25)
bar("silent", 0, 0.2)
function scene.start()
  a:strike { impulse = 0.01 }
  b:strike { impulse = 0.02 }
  sb.after(0.08, function() bar("late", 0, 0.22):strike { impulse = 0.01 } end)
end
END
samples() { tail -c 76800 "$1" | od -An -v -t f4 -w8; } # 0.2 s of stereo floats
# sum OUT FILE...: the greatest difference between OUT and the sum of the others
sum() {
    for file; do samples "$file" >"$file.txt"; done
    first=$1.txt
    shift
    paste "$first" $(printf '%s.txt ' "$@") | awk '{
        for (c = 1; c <= 2; c++) {
            d = $c
            for (i = 2 + c; i <= NF; i += 2) d -= $i
            if (d < 0) d = -d
            if (d > most) most = d
        }
    } END { print most + 0 }'
}
expect 0 render "$work/choir.lua" -o mix.wav --float --duration 0.2
cp mix.wav alone.wav
expect 0 render "$work/choir.lua" -o mix.wav --float --duration 0.2 --stems
same mix.wav alone.wav
says out "mix.F_3_one.wav: body 'F#3/one', peak -"
says out "mix.F_3_one-2.wav: body 'F 3/one', peak -"
says out "mix.silent.wav: body 'silent', silent"
lines out 5
between "$(sum mix.wav mix.F_3_one.wav mix.F_3_one-2.wav mix.late.wav mix.silent.wav)" 0 2e-7 'what the stems lack'
holds test "$(sum mix.wav mix.F_3_one.wav mix.late.wav)" != 0
# The limiter acts on the mix alone: this is said.
sed 's/impulse = 0.0/impulse = 1/' "$work/choir.lua" >"$work/loud.lua"
expect 0 render "$work/loud.lua" -o loud.wav --duration 0.2 --stems --json
says err 'the stems are without the limiter: their sum is up to'
says err 'is clipped: its peak is'
says out '"file":	"loud.F_3_one-2.wav"'
sed '/^local sb/a sb.reverb { t60 = 0.2 }' "$work/loud.lua" >"$work/hall.lua"
expect 0 render "$work/hall.lua" -o hall.wav --duration 0.2 --stems
says err 'the stems are without the room'
expect 2 render "$work/choir.lua" -o - --stems --duration 0.1
says err '--stems needs a file'
rm -f mix.* loud.*
# Nothing is left of a render that fails.
(cat "$work/choir.lua"; echo 'sb.after(0.1, function() error "no" end)') >"$work/fails.lua"
expect 1 render "$work/fails.lua" -o mix.wav --stems --normalize --duration 0.2
holds test -z "$(ls mix.* 2>/dev/null)"

# --- full_scale: another word for gain; the level at the ears does not depend on it
for word in 'gain = 2' 'full_scale = 20' 'full_scale = "5 Pa"'; do
    put_scene 0.2 spl.lua
    printf 'local ears = require "sandbell"\nears.listener { %s }\n' "$word" >>spl.lua
    expect 0 render spl.lua -o "spl$(echo "$word" | tr -dc 0-9).wav" --float --duration 0.2 --json
    levels="$levels $(json peak_db_spl)"
done
cmp spl20.wav spl2.wav || fault 'full_scale = 20 is not gain = 2'
# shellcheck disable=SC2086
set -- $levels
between "$1" 60 130 'the level, dB SPL'
between "$(awk "BEGIN { print $3 - $1 }")" -0.001 0.001 'the level with four times the gain'
expect 0 render spl.lua -o spl2.wav --float --duration 0.2
says out ' dB SPL, '
rm -f spl*

# --- --normalize: the peak is where it is wanted, and the gain is said
expect 0 render "$work/choir.lua" -o quiet.wav --float --duration 0.2 --json
quiet=$(json peak_dbfs)
for level in '' -3 -20.5; do
    # shellcheck disable=SC2086
    expect 0 render "$work/choir.lua" -o n.wav --float --duration 0.2 --json --stems --normalize $level
    between "$(json peak_dbfs)" "$(awk "BEGIN { print ${level:--1} - 0.001 }")" "$(awk "BEGIN { print ${level:--1} + 0.001 }")" "the peak with --normalize $level"
    gain=$(json gain_db)
    between "$(awk "BEGIN { print $gain - (${level:--1} - $quiet) }")" -0.001 0.001 'the gain'
    between "$(sum n.wav n.F_3_one.wav n.F_3_one-2.wav n.late.wav n.silent.wav)" 0 2e-6 'what the stems lack'
done
expect 0 render "$work/choir.lua" --normalize -o n.wav --duration 0.2
says out 'peak -1.0 dBFS (a gain of +'
expect 0 render "$work/choir.lua" -o - --normalize --duration 0.2
says err 'standard output: 0.20 s, peak -1.0 dBFS'
expect 0 render "$work/choir.lua" --normalize=-6 -o n.flac --duration 0.2
says out 'peak -6.0 dBFS'
expect 2 render "$work/choir.lua" --normalize 3 -o n.wav
says err '--normalize needs a number from -60 to 0'
rm -f n.*

# --- what a scene prints goes to standard output, unless that is taken
cat >"$work/prints.lua" <<'END'
local sb = require "sandbell"
print "while it loads"
local bar = sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel" })
function scene.start() print("while it", "runs") bar:strike { impulse = 0.01 } end
END
expect 0 render "$work/prints.lua" -o p.wav --duration 0.1
says out 'while it loads'
says out "while it$(printf '\t')runs"
lines out 3
expect 0 render "$work/prints.lua" -o - --duration 0.1
says err 'while it loads'
says err "while it$(printf '\t')runs"
equal "$(head -c 4 "$out")" RIFF 'the first bytes'
expect 0 render "$work/prints.lua" -o p.wav --duration 0.1 --json
says err 'while it loads'
equal "$(head -c 1 "$out")" '{' 'the first byte of JSON'
expect 0 run "$work/prints.lua" --backend null --for 0.05
says out 'while it loads'
lines out 2

# --- colour and bars are for terminals only
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "TERM=xterm $sandbell render $work/wrong.lua" /dev/null >"$out" 2>"$err"
    says out "$(printf '\033[31msandbell:\033[0m')"
    script -qec "TERM=xterm NO_COLOR=1 $sandbell render $work/wrong.lua" /dev/null >"$out" 2>"$err"
    says out 'sandbell: '
    holds sh -c "! grep -q '$(printf '\033')' '$out'"
    script -qec "TERM=dumb $sandbell render $work/wrong.lua" /dev/null >"$out" 2>"$err"
    holds sh -c "! grep -q '$(printf '\033')' '$out'"
    # Long enough that the bar is drawn again after 0 %.
    script -qec "TERM=xterm $sandbell render $bell --duration 300 -o t.wav" /dev/null >"$out" 2>"$err"
    says out '█'
    script -qec "$sandbell render $bell --duration 1 -o -" /dev/null >"$out" 2>"$err"
    says out 'the standard output is a terminal'
fi
finish
