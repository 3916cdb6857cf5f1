#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether `compare` can be trusted on this machine: the same program against itself must hardly ever be
"slower" or "faster", and one with more work must be slower.

usage: self_compare.py MINIAPP [--times 20] [--more 10] [--rows N] [--cols N] [option of MINIAPP...]

Runs MINIAPP times + 1 times and compares each run with the one before it; then, behind every fourth
run, one with so many per cent more rows, in whose file the rows are named as before; in the end the runs
of odd number with those of even number. All cases have to grow with their rows, and take their time from
memory or arithmetic alone: large transpose and yax, without native variants, which would have more work, too.
Exit status: 0 at most one verdict in twenty is a difference of the program to itself, and all with more
work are slower; 1 else.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile


def run(program, rows, options, file):
    done = subprocess.run([program, "--rows", str(rows), "--json", file, *options], stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 6):  # 6: --skip-verification
        sys.exit(f"self_compare.py: {program} ended with {done.returncode}")


def verdicts(program, *files):
    """(case, "B/A low to high", verdict) of each line of the table of compare."""
    text = subprocess.run([program, "compare", *files], check=True, capture_output=True, text=True).stdout
    number = r"[\d.]+"
    return [match.groups() for match in re.finditer(
        rf"^(\S+) +{number} +{number} +({number} +.*?) +(slower|faster|same|inconclusive)$", text, re.MULTILINE)]


def tell(what, counts, details):
    print(f"{what}: " + ", ".join(f"{counts[v]} {v}" for v in ("slower", "faster", "same", "inconclusive")))
    for line in details:
        print("  " + line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--more", type=float, default=10)
    parser.add_argument("--rows", type=int, default=16384)
    parser.add_argument("--cols", type=int, default=8192)
    arguments, options = parser.parse_known_args()
    options = ["--cols", str(arguments.cols)] + (options or ["--algorithm", "transpose,yax", "--variant", "team", "--model", "kokkos"])
    program, rows = arguments.program, arguments.rows
    more_rows = round(rows * (1 + arguments.more / 100))
    same, more, several = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{time}.json" for time in range(arguments.times + 1)]
        larger = pathlib.Path(folder) / "larger.json"
        for time, file in enumerate(files):
            run(program, rows, options, file)
            if time > 0:
                new = verdicts(program, files[time - 1], file)
                same += new
                print(f"run {time}: " + "; ".join(f"{case.split('/')[0]} {ratio} {verdict}" for case, ratio, verdict in new), flush=True)
            if time % 4 == 1:
                run(program, more_rows, options, larger)
                larger.write_text(re.sub(rf"(\brows\b\W+){more_rows}\b", rf"\g<1>{rows}", larger.read_text()))
                more += verdicts(program, file, larger)
        if arguments.times >= 10:  # five on each side
            several = verdicts(program, *files[1::2], "--with", *files[2::2])

    def differs(verdict):
        return verdict in ("slower", "faster")

    for what, list_, bad in (("the same program", same, differs),
                             ("its odd runs with its even ones", several, differs),
                             (f"{100 * (more_rows / rows - 1):.2f} % more work", more, lambda v: v != "slower")):
        tell(what, collections.Counter(v for *_, v in list_),
             [f"{case}  {ratio}  {verdict}" for case, ratio, verdict in list_ if bad(verdict)])
    different = sum(differs(v) for *_, v in same)
    wrong = different > len(same) / 20 or any(v != "slower" for *_, v in more)
    if not same or not more:
        sys.exit("self_compare.py: nothing was compared")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
