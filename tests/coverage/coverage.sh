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
    is_ours == 1 && /^Lines executed/ { lines[room] += whole($0); run[room] += part($0); is_ours = 2 }
    is_ours && /^Taken at least once/ { branches[room] += whole($0); taken[room] += part($0) }
    /^$/ { is_ours = 0 }
    END {
        for (room in lines) {
            print row(room, run[room], lines[room], taken[room], branches[room]) | "sort"
            a += run[room]; b += lines[room]; c += taken[room]; d += branches[room]
        }
        close("sort")
        print row("runtime/", a, b, c, d)
    }'
