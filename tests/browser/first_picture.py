# SPDX-License-Identifier: MIT
"""How long the first picture takes, from the start of the navigation until the
pixels of the bodies are there (one is read back, which waits for them).

    python3 tests/browser/first_picture.py PROGRAM ROOT [SCENE [COUNT]]

One line for a browser that was just started, which still sets up its graphics,
and one for the same browser when it opens the page again.
"""
import os
import statistics
import sys

SCENE = sys.argv[3] if len(sys.argv) > 3 else "scripts/marimba.lua"
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 5

from studio import Page, Program, ROOT  # noqa: E402: it reads the arguments

# Waits for the picture only here: the page itself does not.
HOOK = """
const mark = performance.mark.bind(performance);
window.picture = 0;
performance.mark = (name, options) => {
    mark(name, options);
    if (name !== 'bodies-drawn' || window.picture)
        return;
    const gl = document.querySelector('#view-canvas canvas').getContext('webgl');
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    window.picture = performance.now();
};"""


def measure(page, program):
    page.open(program.url, 1280, 800, "dark", False, "auto")
    return page.until("return window.picture", "the first picture", 60)


def main():
    times = ([], [])
    program = Program(os.path.join(ROOT, SCENE))
    try:
        for _ in range(COUNT):
            page = Page("about:blank", wait=False)
            try:
                page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HOOK})
                times[0].append(measure(page, program))
                page.driver.get("about:blank")
                times[1].append(measure(page, program))
            finally:
                page.close()
    finally:
        program.stop()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, no graphics card")
    for name, found in zip(("a browser just started", "the same browser again"), times):
        print(f"first picture of {SCENE}, {name}, {COUNT} times: "
              f"median {statistics.median(found):.0f} ms, from {min(found):.0f} to {max(found):.0f}")


main()
