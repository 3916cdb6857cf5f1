#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tests were skipped, why, and what would have to be installed for them.

usage: skipped.py JUNIT [BUILD]      JUNIT is what ctest --output-junit wrote
"""
import collections
import re
import sys
import xml.etree.ElementTree

# In "test: reason" (all that match count): Debian's package, or who else has it.
BRINGS = (
    (r"no nvcc found|is too old, 12 is needed", "cuda-toolkit from NVIDIA"),
    (r"calls no library on the CPU", "libopenblas-pthread-dev"),
    (r"takes setuptools", "python3-pip python3-wheel"),
    (r"\bscipy\b", "python3-scipy"),
    (r"has no matplotlib", "python3-matplotlib"),
    (r"no pandas", "python3-pandas"),
    (r"no compare\.py", "libbenchmark-tools"),
    (r"p3.*No module named", "p3analysis, from the repository of the p3-analysis-library"),
    (r"no chromium", "chromium"),
    (r"no readelf", "binutils"),
    (r"no git\b", "git"),
    (r"no doxygen", "doxygen"),
    (r"no sphinx-build|lacks one of myst_parser", "furo python3-breathe python3-myst-parser python3-sphinx-copybutton"),
    (r"no ninja", "ninja-build"),
    (r"no Python 3", "python3"),
)


def reason_of(output):
    """What the test said: a line of ours, what stands behind GoogleTest's, or else its last line."""
    ours = re.search(r"^skipped: [\w.]+: (.*)", output, re.MULTILINE)
    googles = re.search(r": Skipped\n(.*?)\n*^\[  SKIPPED \]", output, re.MULTILINE | re.DOTALL)
    if ours or googles:
        return " ".join((ours or googles)[1].split()) or "without a reason"
    return (output.strip().splitlines() or ["without a reason"])[-1]


def main():
    tests = xml.etree.ElementTree.parse(sys.argv[1]).getroot().findall("testcase")
    names = collections.defaultdict(list)
    for test in tests:
        if test.find("skipped") is not None:
            names[reason_of(test.findtext("system-out") or "")].append(test.get("name"))
    if not names:
        return
    print(f"\nSkipped: {sum(map(len, names.values()))} of {len(tests)} tests")
    lines = []
    for reason, tests in names.items():
        brings = [package for pattern, package in BRINGS if re.search(pattern, f"{tests[0]}: {reason}")]
        bring = f" [{', '.join(brings)}]" if brings else ""
        who = ", ".join(tests)
        if len(f"  {who}: {reason}") > 80:
            who = f"{len(tests)} test{'s' if len(tests) > 1 else ''}"
        if len(f"  {who}: {reason}{bring}") > 80:
            bring = bring.replace(" ", "\n      ", 1)
        lines.append((not brings, f"  {who}: {reason}{bring}"))
    print("\n".join(line for _, line in sorted(lines)))
    if not all(nothing for nothing, _ in lines):
        print("In brackets: the package that brings it." + (f" Then: cmake {sys.argv[2]} && ./ado test" if sys.argv[2:] else ""))


if __name__ == "__main__":
    main()
