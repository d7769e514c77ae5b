#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The binary interface of libsandbell, as text: sizes and offsets of the structs of
sandbell.h, the values of its constants, and the names that the library exports.

    abi.py CC HEADER LIBRARY [EXPECTED]

With EXPECTED, a file of the same text, it fails where they differ: a program that
was built with an older header must go on working. Fields may be added at the end of
structs that begin with `size`, constants and functions anywhere.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile


def read_structs(text):
    for body, name in re.findall(
            r"typedef struct \w+ \{(.*?)\n\} (\w+);", text, re.S):
        fields = []
        for line in body.split(";"):
            line = line.strip()
            if not line:
                continue
            pointer = re.search(r"\(\*(\w+)\)", line)
            names = [pointer.group(1)] if pointer else re.findall(
                r"(\w+)(?:\[[^\]]*\])*\s*(?:,|$)", line)
            fields += names
        yield name, fields


def main():
    compiler, header, library = sys.argv[1:4]
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    lines = []
    for name, fields in read_structs(text):
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field in fields:
            lines.append(f'printf("  {field} %zu\\n", '
                         f"offsetof({name}, {field}));")
    for body in re.findall(r"enum \{(.*?)\}", text, re.S):
        for constant in re.findall(r"(SANDBELL_\w+)", body):
            lines.append(f'printf("{constant} %d\\n", {constant});')
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "abi.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write('#include "sandbell.h"\n#include <stdio.h>\n'
                       "int main(void) {\n" + "\n".join(lines) + "\n}\n")
        program = os.path.join(folder, "abi")
        subprocess.run([compiler, "-w", "-I", os.path.dirname(header), source,
                        "-o", program, "-L", os.path.dirname(library),
                        "-Wl,--unresolved-symbols=ignore-all"], check=True)
        shown = subprocess.run([program], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
    names = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                           text=True, stdout=subprocess.PIPE).stdout
    exported = sorted(re.findall(r" [A-Z] (\w+)@@SANDBELL_0", names))
    declared = sorted(re.findall(r"\b(sandbell_\w+)\(", "".join(
        re.findall(r"SANDBELL_API[^;]*;", text))))
    if exported != declared:
        differ = set(exported) ^ set(declared)
        sys.exit(f"exported and declared differ: {', '.join(sorted(differ))}")
    shown += "".join(name + "\n" for name in exported)
    if len(sys.argv) <= 4:
        print(shown, end="")
        return
    with open(sys.argv[4], encoding="utf-8") as file:
        expected = file.read()
    if shown != expected:
        sys.stdout.writelines(difflib.unified_diff(
            expected.splitlines(True), shown.splitlines(True), "abi.txt",
            "this build"))
        sys.exit("the binary interface has changed: is every change an "
                 "addition at an end? Then put this text into abi.txt")


main()
