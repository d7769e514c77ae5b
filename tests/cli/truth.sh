#!/bin/sh
# SPDX-License-Identifier: MIT
# truth: the measured objects that come with the program, a table, JSON, what is
# unexpected, and the errors of an object.
. "$(dirname "$0")/lib.sh"

# --- the objects that come with the program: nothing is unexpected
expect 0 truth
says out 'aluminium block, free'
says out 'source: Ogi et al., J. Acoust. Soc. Am. 112, 2553 (2002)'
says_not out MISS
says_not out 'called a miss'
expect 0 truth "$root/scripts/truth" --json
shipped=$(find "$root/scripts/truth" -maxdepth 1 -name '*.lua' | wc -l)
between "$shipped" 15 99 'shipped objects'
equal "$(json objects '#')" "$shipped" 'objects'
for i in $(seq 0 $((shipped - 1))); do
    says out "$(json objects "$i" file)"
    verdict=$(json objects "$i" verdict)
    case $verdict in
    holds) word=holds ;;
    'known miss')
        word=miss
        holds test -n "$(json objects "$i" cause)" ;;
    *)
        word=$verdict
        fault "$(json objects "$i" object): $verdict" ;;
    esac
    # The page says the same, and so does its largest number: an error, or a level.
    file=$(basename "$(json objects "$i" file)")
    holds grep -q "^| .*($file).* | $word, [^|]* |\$" "$root/scripts/truth/README.md"
    said=$(sed -n "s/^| .*($file).* | $word, \([^|:]*\).* |\$/\1/p" "$root/scripts/truth/README.md" |
        grep -oE '[0-9]+(\.[0-9]+)?' | sort -g | tail -1)
    awk -v file="$file" -v said="$said" -v rms="$(grep -c "($file).* | rms " "$root/scripts/truth/README.md")" '
        /"file":/ { inside = index($0, "/" file "\"") } !inside { next }
        { number = $2 + 0; if (number < 0) number = -number }
        /"error_percent":/ && !rms || /"rms_error":/ && rms { if (number > worst) worst = number }
        /"computed":/ { level = number } /"error_db":/ { worst = level }
        END { digits = index(said, ".") ? length(said) - index(said, ".") : 0
            exit sprintf("%.*f", digits, worst) != said }' "$out" ||
        fault "$file: README.md says $said"
done

if command -v luacheck >/dev/null; then
    holds luacheck --quiet --config "$root/.luacheckrc" "$root"/scripts/truth/*.lua "$root"/scripts/truth/lib/*.lua
else
    echo "$name: luacheck is not installed: style is not checked"
fi

# --- errors against closed forms: modes 440 and 1000 Hz, called 430 and 1000 Hz.
put() { # LINE ... of the table
    put_scene 0.2 own.lua
    printf 'truth = { object = "mine", source = "my ears", %s }\n' "$*" >>own.lua
}
put 'measured = { 430, 1000 }, bound = 1'
expect 1 truth own.lua
says out 'objects: 1, holds: 0, MISS: 1'
says out '+39.8   +2.33 %      1 %   miss'
expect 1 truth own.lua --json
between "$(json objects 0 values 0 error_cents)" 39.800 39.802 'cents from 430 to 440 Hz'
between "$(json objects 0 values 0 error_percent)" 2.3255 2.3256 'per cent from 430 to 440 Hz'
between "$(json objects 0 values 1 error_cents)" -0.001 0.001 'no error'
equal "$(json objects 0 values 1 holds)" true 'the second holds'
equal "$(json objects 0 verdict)" MISS 'the verdict'
put 'measured = { 430, 1000 }, bound = { 3, 1 }'
expect 0 truth own.lua
says out 'objects: 1, holds: 1'
put 'measured = { 0.43, 1 }, unit = "kHz", bound = 3'
expect 0 truth own.lua
# rms of 2.3256 and 0 is 1.6444
put 'measured = { 430, 1000 }, rms = true, bound = 1.65'
expect 0 truth own.lua
says out 'rms of 2 errors 1.64 %, bound 1.65 %: holds'
put 'measured = { 430, 1000 }, rms = true, bound = 1.64'
expect 1 truth own.lua
put 'measured = { 1, 2.25 }, ratio = true, bound = 1.1'
expect 0 truth own.lua --json
between "$(json objects 0 values 1 error_percent)" 1.0100 1.0102 '1000 / 440 against 2.25'
# A mode that is not there is a miss.
put 'measured = { 440, 1000, 2000 }, bound = 1'
expect 1 truth own.lua
says out 'no mode'
put 'measured = { 1000 }, modes = { "given 2" }, bound = 1'
expect 0 truth own.lua
put 'measured = { -20 }, unit = "dB", bound = 0.5, computed = function() return -19.4 end'
expect 1 truth own.lua
says out '+0.6 dB'
put 'measured = { 2 }, unit = "s", names = { "time" }, run = 0.5, bound = 1, computed = function() return { 4 * sb.now() } end'
expect 0 truth own.lua
says out '  time  '

# The peak of its sound: the same bell, twice as loud.
put 'measured = { 6.02 }, unit = "dB", bound = 0.01, run = 0.2, computed = function(peak) return 20 * math.log(peak / loud, 10) end'
sed 's/^function scene.start()/& sb.listener { gain = 0.1 }/' own.lua >once.lua
expect 0 render once.lua --duration 0.2 -o once.wav --float --json
loud=$(awk "BEGIN { printf \"%.9g\", 10 ^ ($(json peak_dbfs) / 20) }")
sed "s/^function scene.start()/& sb.listener { gain = 0.2 }/; s/loud/$loud/" own.lua >twice.lua
expect 0 truth twice.lua

# --- a picture: red is only what is out of its bound
put 'measured = { 430, 1000 }, bound = 1, miss = "it is another bell"'
expect 0 truth own.lua --plot miss.png
put 'measured = { 440, 1000 }, bound = 1'
expect 0 truth own.lua --plot holds.png
for page in miss holds; do
    set -- $("$facts" png $page.png)
    equal "$1x$2" 1330x188 "size of $page.png"
    eval "$page=\$3"
done
# shellcheck disable=SC2154 # set by eval
equal "$miss" "$((holds + 1))" 'colours with a miss'
expect 2 truth own.lua --plot a.jpg
says err '--plot needs a name that ends in .png'
expect 2 truth own.lua --plot nowhere/a.png
lines err 1

# --- misses that are known, and those that are none any more
put 'measured = { 430, 1000 }, bound = 1, miss = "it is another bell"'
expect 0 truth own.lua
says out 'cause: it is another bell'
says out 'known miss: 1'
put 'measured = { 440, 1000 }, bound = 1, miss = "it is another bell"'
expect 1 truth own.lua
says out 'holds, though called a miss'

# --- a recording: the same thing, 1 % higher, its third mode twice as loud
cat >bell.lua <<'END'
local sb = require "sandbell"
local scale = sb.param("scale", { min = 0.5, max = 2, default = 1 })
local third = sb.param("third", { min = 0, max = 2, default = 0.3 })
local bell = sb.body("bell", {
  shape = sb.modes { { 440 * scale(), 0.5 }, { 1000 * scale(), 0.3, 0.5 }, { 2345, 0.2, third() } },
})
sb.listener { gain = 3 }
function scene.start() sb.after(0.1, function() bell:strike { impulse = 0.05 } end) end
END
expect 0 render bell.lua --duration 1 --set scale=1.01 --set third=0.6 -o hit.wav
expect 0 truth bell.lua --recording hit.wav --json --plot lines.png
equal "$(json partials '#')" 3 'partials'
equal "$(json matched)" 3 'matched partials'
equal "$(json partials 2 predicted label)" 'given 3' 'the label of a mode'
for k in 0 1; do # 1200 log2(1 / 1.01) = -17.226
    between "$(json partials $k error_cents)" -17.3 -17.2 'cents'
    between "$(json partials $k error_db)" -0.05 0.05 'levels, of which the median is taken out'
done
between "$(json partials 2 error_cents)" -0.05 0.05 'a mode that was not moved'
between "$(json partials 2 error_db)" -6.1 -5.95 'half as loud'
between "$(json partials 1 recorded t60_s)" 0.299 0.301 'T60'
set -- $("$facts" png lines.png)
between "$3" 5 1000 'colours of lines.png'
expect 0 truth bell.lua --recording hit.wav
says out '3 of 3 predicted partials are in the recording'
# Without its third mode, which the recording has; and beyond 300 cents.
expect 0 truth bell.lua --recording hit.wav --set third=0 --set scale=1.5 --json
equal "$(json matched)" 0 'matched partials, of none alike'
equal "$(json partials '#')" 5 'partials of either'
expect 2 truth --recording hit.wav
says err '--recording needs one scene'
expect 2 truth bell.lua own.lua --recording hit.wav
expect 3 truth bell.lua --recording nothing.wav
lines err 1
sed 's/bell:strike/local _ =/' bell.lua >mute.lua
expect 4 truth mute.lua --recording hit.wav
says err 'mute.lua plays no modes in 1.00 s; its scene.start must strike the body'
rm -f ./*.wav ./*.png bell.lua mute.lua

# --- what is wrong with an object
wrong() { # MESSAGE LINE ...
    message=$1
    shift
    put "$*"
    expect 1 truth own.lua
    says err "$message"
    lines err 1
}
wrong 'own.lua: truth.measured is needed: a list of numbers' 'bound = 1'
wrong 'truth.bound must be one number, or one per measured value (2)' 'measured = { 440, 1000 }'
wrong 'truth.bound must be one number, or one per measured value (2)' \
    'measured = { 440, 1000 }, bound = { 1, 2, 3 }'
wrong 'truth.measured must be numbers, not a string' 'measured = { "a" }, bound = 1'
wrong 'truth.measured must be finite numbers' 'measured = { 1 / 0 }, bound = 1'
wrong 'truth.computed must be finite numbers' \
    'measured = { 1 }, bound = 1, computed = function() return 0 / 0 end'
wrong 'truth.run must be above 0 and at most 3600 s' 'measured = { 1 }, bound = 1, run = -1'
wrong 'truth.measured and truth.bound must not be 0' 'measured = { 0 }, bound = 1'
wrong 'truth.bond is not known; there are object, source' 'measured = { 1 }, bond = 1'
wrong "truth.body: no body is called 'bowl'" 'measured = { 1 }, bound = 1, body = "bowl"'
wrong 'truth.computed must return as many numbers as were measured, 1, not 2' \
    'measured = { 1 }, bound = 1, computed = function() return { 1, 2 } end'
put_scene 0.2 own.lua
expect 1 truth own.lua
says err 'the scene has no table `truth` that says what was measured'
echo 'truth = { measured = { 1 }, bound = 1 }' >>own.lua
expect 1 truth own.lua
says err 'truth.object and truth.source are needed'
expect 2 truth nothing.lua
says err 'nothing.lua: there is no such file'
mkdir empty
expect 2 truth empty
says err 'empty holds no scene (.lua)'
finish
