#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh ROOT BUILD: which lines and branches of runtime/ the tests of this
# build have run, by room. Run some tests first; each adds to the counts.
# A branch counts when it was taken. Of a file that several programs contain,
# the one that ran most of it counts. With a third word, a room, its lines that
# did not run are listed: coverage.sh . build-coverage store
root=$1 build=$2 room=$3
cd "$build" || exit 2
files=$(find runtime tests -path '*runtime/*' -name '*.gcda')
[ -n "$files" ] || { echo 'no counts: configure with --preset coverage, build, and run tests' >&2; exit 1; }
if [ -n "$room" ]; then
    for file in $files; do
        "${GCOV-gcov}" -t -o "$(dirname "$file")" "$file" 2>/dev/null
    done | awk -v room="runtime/$room/" -F: '
        $3 == "Source" { is_ours = index($4, room) && $4 ~ /\.c$/; name = $4 }
        is_ours && /^ *#####/ { missed[name ":" $2 + 0 ":"] = substr($0, index($0, $2) + length($2) + 1) }
        is_ours && /^ *[0-9]/ { ran[name ":" $2 + 0 ":"] = 1 }
        END { for (line in missed) if (!(line in ran)) print line missed[line] }' | sort -t: -k1,1 -k2,2n
    exit
fi
# gcov names each source and then, in per cent of a number, what was run of it.
for file in $files; do
    "${GCOV-gcov}" -b -n -o "$(dirname "$file")" "$file" 2>/dev/null
done | awk -v root="$root/" '
    function whole(text) { n = split(text, p, " "); return p[n] }
    function part(text) { sub(/^[^:]*:/, "", text); return (text + 0) / 100 * whole(text) }
    function row(name, a, b, c, d) {
        return sprintf("%-20s %7d lines %6.1f %%  %7d branches %6.1f %%", name, b, 100 * a / (b ? b : 1), d, 100 * c / (d ? d : 1))
    }
    /^File / {
        name = $2
        gsub("\047", "", name)
        is_ours = index(name, root "runtime/") == 1 && name ~ /\.c$/
        room = substr(name, length(root "runtime/") + 1)
        if (!sub("/[^/]*$", "", room)) room = "."
    }
    # Once: gcov repeats the line as the total of all files.
    is_ours == 1 && /^Lines executed/ {
        is_best = !(name in ran) || part($0) > ran[name]
        if (is_best) { ran[name] = part($0); all[name] = whole($0); room_of[name] = room }
        is_ours = 2
    }
    is_ours && is_best && /^Taken at least once/ { ways[name] = whole($0); went[name] = part($0) }
    /^$/ { is_ours = 0 }
    END {
        for (name in all) {
            room = room_of[name]
            lines[room] += all[name]; run[room] += ran[name]
            branches[room] += ways[name]; taken[room] += went[name]
        }
        for (room in lines) {
            print row(room, run[room], lines[room], taken[room], branches[room]) | "sort"
            a += run[room]; b += lines[room]; c += taken[room]; d += branches[room]
        }
        close("sort")
        print row("runtime/", a, b, c, d)
    }'
