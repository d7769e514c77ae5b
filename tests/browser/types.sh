#!/bin/sh
# SPDX-License-Identifier: MIT
# The page's types, checked by tsc, and its size: under 7,180 lines, lessons
# under 700 more (licence lines aside), each file with one job and under 400.
page=$1/bindings/studio/page
count() { cat "$@" | grep -vc SPDX-License-Identifier; }
lesson=$(count "$page"/lesson/*.js "$page"/lesson/*.css)
lines=$(($(count "$page"/*.js "$page"/*/*.js) - $(count "$page"/lesson/*.js)))
echo "page: $lines lines of JavaScript, lessons: $lesson"
if [ "$lesson" -ge 700 ]; then
    echo "FAULT: the lesson tab has $lesson lines, at most 699 are allowed"
    exit 1
fi
if [ "$lines" -ge 7180 ]; then
    echo "FAULT: the page has $lines lines, at most 7179 are allowed"
    exit 1
fi
for file in "$page"/*.js "$page"/*/*.js; do
    if [ "$(wc -l <"$file")" -ge 400 ]; then
        echo "FAULT: $file has 400 lines or more"
        exit 1
    fi
done
if ! command -v tsc >/dev/null; then
    echo "SKIPPED: no tsc (package node-typescript)"
    exit 77
fi
tsc -p "$page/jsconfig.json" && echo "types are right"
