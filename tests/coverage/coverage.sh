#!/bin/sh
# coverage.sh ROOT BUILD: which lines and branches of runtime/ the tests of this
# build have run, by room. Run some tests first; each adds to the counts.
# A branch counts when it was taken.
root=$1 build=$2
cd "$build" || exit 2
files=$(find runtime -name '*.gcda')
[ -n "$files" ] || { echo 'no counts: configure with --preset coverage, build, and run tests' >&2; exit 1; }
# gcov names each source and then, in per cent of a number, what was run of it.
for file in $files; do
    "${GCOV-gcov}" -b -n -o "$(dirname "$file")" "$file" 2>/dev/null
done | awk -v root="$root/" '
    function part(text) { split(text, p, /[:%]| of /); return p[2] / 100 * p[length(p)] }
    function whole(text) { n = split(text, p, " "); return p[n] }
    /^File / {
        name = $2
        gsub("\047", "", name)
        is_ours = index(name, root "runtime/") == 1 && name ~ /\.c$/
        room = substr(name, length(root "runtime/") + 1)
        if (!sub("/[^/]*$", "", room)) room = "."
    }
    is_ours && /^Lines executed/ { lines[room] += whole($0); run[room] += part($0) }
    is_ours && /^Taken at least once/ { branches[room] += whole($0); taken[room] += part($0) }
    /^$/ { is_ours = 0 }
    function row(name, a, b, c, d) {
        printf "%-20s %7d lines %6.1f %%  %7d branches %6.1f %%\n", name, b, 100 * a / (b ? b : 1), d, 100 * c / (d ? d : 1)
    }
    END {
        for (room in lines) {
            row(room, run[room], lines[room], taken[room], branches[room]) | "sort"
            a += run[room]; b += lines[room]; c += taken[room]; d += branches[room]
        }
        close("sort")
        row("runtime/", a, b, c, d)
    }'
