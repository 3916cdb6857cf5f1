#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Line coverage of lib/ and miniapp/, from what a build of the preset coverage counted while its tests ran.

usage: coverage.py BUILD [--json FILE] [--at-least PERCENT] [--jobs N]

A line counts if the CPU build made code of it; it is covered if any program of the tests ran it in any
instance of a template. What is compiled only with CUDA is no line of this build. Exit status 1: less
than PERCENT of a part is covered.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Compiled to see whether they compile, and never run.
NEVER_RUN = ("/tests/public/headers/", "/tests/public/refusals/", "/portable_as_cuda")


def part_of(file):
    folder = file.split("/")
    if folder[0] == "miniapp":
        return "miniapp"
    return "/".join(folder[:3]) if folder[2] in ("core", "registry", "host", "portable", "bench") else "lib/ado, algorithms"


def count_lines(arguments):
    """{file: {line: times run}} of one object file, for the files of the project."""
    notes, root = arguments
    gcov = os.environ.get("GCOV", "gcov")
    run = subprocess.run([gcov, "--json-format", "--stdout", notes], cwd=os.path.dirname(notes), check=True,
                         capture_output=True, text=True)
    counts = {}
    for text in run.stdout.splitlines():
        for file in json.loads(text)["files"]:
            name = os.path.normpath(os.path.join(os.path.dirname(notes), file["file"]))
            name = os.path.relpath(os.path.realpath(name), root)
            if not name.startswith(("lib/", "miniapp/")) or not file["lines"]:
                continue
            lines = counts.setdefault(name, {})
            for line in file["lines"]:
                number = line["line_number"]
                lines[number] = lines.get(number, 0) + line["count"]
    return counts


def ranges(numbers):
    """1, 2, 3, 7 as 1-3 7."""
    words = []
    for number in numbers:
        if words and words[-1][1] == number - 1:
            words[-1][1] = number
        else:
            words.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path, help="write {file: {line: times run}} there")
    parser.add_argument("--at-least", type=float, default=0, metavar="PERCENT")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    notes = [str(path) for path in sorted(options.build.resolve().rglob("*.gcno"))]
    notes = [path for path in notes if not any(folder in path for folder in NEVER_RUN)]
    if not notes:
        sys.exit(f"{options.build}: no build of the preset coverage")
    total = collections.defaultdict(collections.Counter)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for counts in pool.map(count_lines, [(path, str(ROOT)) for path in notes]):
            for file, lines in counts.items():
                total[file].update(lines)
    if options.json:
        options.json.write_text(json.dumps(total, sort_keys=True))

    parts = collections.defaultdict(lambda: [0, 0])
    for file in sorted(total):
        missed = sorted(line for line, count in total[file].items() if count == 0)
        covered = len(total[file]) - len(missed)
        for part in (part_of(file), "all"):
            parts[part][0] += covered
            parts[part][1] += len(total[file])
        if missed:
            print(f"{100 * covered / len(total[file]):6.1f} % {file}: {ranges(missed)}")
    print()
    for part, (covered, lines) in sorted(parts.items()):
        print(f"{100 * covered / lines:6.1f} % of {lines} lines: {part}")
    return int(any(100 * covered < options.at_least * lines for covered, lines in parts.values()))


if __name__ == "__main__":
    sys.exit(main())
