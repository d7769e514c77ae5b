#!/bin/sh
# SPDX-License-Identifier: MIT
# lessons and lesson: the list, the text, pictures, handouts, copies, grading.
. "$(dirname "$0")/lib.sh"
unset DISPLAY WAYLAND_DISPLAY
lessons=$root/scripts/lessons

# --- the list
expect 0 lessons
lines out 11
says out ' 1. One mode is a decaying sine'
says out '10. Too much sound'
says out "11. What reaches the ear"
expect 2 lessons 3

# --- every text: at most 600 words, and what it names is there
for text in "$lessons"/[0-9]*.md; do
    checks=$((checks + 1))
    words=$(wc -w <"$text")
    [ "$words" -le 600 ] || fault "$text has $words words"
    grep -q '^## For the teacher$' "$text" || fault "$text has no teacher's page"
    grep -q 'What students get wrong' "$text" || fault "$text: what do students get wrong?"
    grep -q 'Fifteen minutes' "$text" || fault "$text has no plan"
    grep -q '\*\*Predict\*\*' "$text" || fault "$text predicts nothing"
    for word in $(sed -n 's/^> \*\*\(Turn\|Task\|Answer\)\*\* `\([A-Za-z0-9_]*\)`.*/\2/p' "$text"); do
        grep -q "[(]\"$word\"" "${text%.md}.lua" || fault "$text: '$word' is not in the scene"
    done
done

# --- on a terminal: the text, formulas in a line, and pictures as files
expect 0 lesson 1
says out '1. One mode is a decaying sine'
says out 'x(t) = A e^(-σ t) sin(2 π f t)'
says out '  task     Move the mode up from 440 Hz by one octave'
says out '  turn     freq: the frequency, in Hz.'
says_not out 'What students get wrong'
says out 'sandbell lesson 1 --teacher'
says out '01_one_mode_1.png'
says_not out '$'
says_not out '\'
[ -s 01_one_mode_1.png ] || fault 'no picture was drawn'
expect 0 lesson 1 --teacher
says out 'What students get wrong'
expect 2 lesson 99
says err 'there is no lesson 99'
expect 2 lesson nowhere
says err "'nowhere' is neither the number of a lesson nor a folder"

# --- a handout: one file, with MathML and its pictures inside
expect 0 lesson 3 --handout three.html
says out 'three.html: lesson 3, to be printed'
equal "$(grep -c '<math xmlns' three.html | sed 's/^[1-9][0-9]*$/some/')" some 'formulas'
equal "$(grep -c '<mo>[()]</mo>' three.html)" 0 'brackets that grow without their partner'
equal "$(grep -o 'src="data:image/png;base64,iVBOR' three.html | wc -l)" 2 'pictures'
equal "$(grep -c 'src="http\|href=' three.html)" 0 'addresses of others'
grep -q '<mfrac>' three.html || fault 'no fraction'
grep -q 'class="teacher"' three.html || fault "no teacher's page"
expect 0 lesson 3 --handout pupil.html --student
! grep -q 'What students get wrong' pupil.html || fault "a pupil sees the teacher's page"
expect 2 lesson 3 --handout nowhere/three.html
[ ! -e nowhere ] || fault 'a folder was made'
if command -v xmllint >/dev/null; then
    xmllint --html --noout three.html 2>&1 | grep -v 'Tag \(math\|m[a-z]*\|figure\|figcaption\) invalid' |
        grep -q ' error ' && fault 'the page is not well formed'
fi

# --- a copy of one's own; a second one does not touch it
expect 0 lesson 3 --copy mine
says out 'sandbell check mine'
for file in 03_where_you_strike.lua 03_where_you_strike.md answers.json; do
    [ -s "mine/$file" ] || fault "mine/$file is missing"
done
expect 3 lesson 4 --copy mine
says err 'mine is there already: open it with `sandbell lesson mine`'
expect 3 lesson 4 --copy nowhere/mine
says err 'cannot be made'

# --- grading: what is done again counts
expect 1 check mine
says out 'mine: 03_where_you_strike, 0 of 3 right'
says out 'not tried'
cat >mine/answers.json <<'END'
{ "lesson": "03_where_you_strike", "answers": { "node": { "right": true } }, "sessions": [ { "rate": 48000, "seed": 1, "messages": [
 { "t": 0.5, "message": { "type": "strike", "body": "bar", "point": [-0.13244, 0.00635, 0], "speed": 1, "striker": { "mass": 0.02, "hardness": 1e7 } } },
 { "t": 0.7, "message": { "type": "lesson.check", "name": "silent_second" } },
 { "t": 0.8, "message": { "type": "lesson.check", "name": "node" } },
 { "t": 2000, "message": { "type": "lesson.press", "name": "strike_end" } },
 { "t": 2000.5, "message": { "type": "lesson.check", "name": "all_four" } },
 { "t": 2001, "message": { "type": "param.set", "name": "place", "value": 0.02 } },
 { "t": 2001.1, "message": { "type": "lesson.press", "name": "strike_there" } },
 { "t": 2001.5, "message": { "type": "lesson.check", "name": "all_four" } } ] } ] }
END
expect 1 check mine
says out '2 of 3 right'
says out '  1. Strike somewhere else than at the centre'
says out '     right, 1 try'
says out '     right, 2 tries'
says out 'answers.json says right, but doing it again does not confirm it'
cp -r mine yours
expect 1 check mine yours
says out 'yours: 03_where_you_strike, 2 of 3 right'
echo 'not json' >yours/answers.json
expect 3 check yours
says err 'answers.json is not JSON'
echo '{ "lesson": "../../hello" }' >yours/answers.json
expect 3 check yours
says err "there is no lesson '../../hello'"

# --- the page, where it is asked for
expect 0 lesson 8 --print-url --no-open --backend null --for 0.3
says out '/#token='
says err '44100 Hz'
expect 0 lesson mine --no-open --backend null --for 0.2
says err 'studio: http://127.0.0.1:'

# --- an action in place of the start, and the errors of a discretisation
expect 0 render "$lessons/06_contact_time.lua" -o x.wav --duration 0.3 --press felt
says out 'spring of 5e+04 N/m'
says_not out 'spring of 3e+05 N/m'
expect 1 render "$lessons/06_contact_time.lua" -o x.wav --duration 0.3 --press nothing
says err "declares no action 'nothing'"
expect 0 modes "$lessons/08_numbers_that_lie.lua" --body bar_bilinear --limit 2 --rate 44100
says out 'played    cents'
says out '2542.985'
says err "body 'euler', discretisation euler: mode 1 at 1000 Hz is played"
expect 0 modes "$lessons/08_numbers_that_lie.lua" --body euler --json
says out '"cents":'

finish
