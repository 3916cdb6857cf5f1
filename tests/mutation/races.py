#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants all missing barriers of races.txt and sees whether racecheck reports each.

    tests/mutation/races.py BUILD [NAME...]         all of them, or those named

BUILD is a configured CUDA build folder of this tree, best of a copy of it, on a machine with a GPU and
compute-sanitizer: sources are changed, and put back at the end, also on Ctrl-C. Each bug is in a kernel
of its own, so one build has them all. Exit status 0: all were reported; 1: one was not; 2: a text does not
stand once, or the build fails.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from run import ROOT, output_of, read_list


def hazards(miniapp, ceilings, options):
    """Number of racecheck's reports, and the end of what was printed."""
    command = ["compute-sanitizer", "--tool", "racecheck", "--print-limit", "1", miniapp, "--backend", "cuda", "--reps", "1", "--ceilings", ceilings]
    _, text = output_of(command + options.split())
    found = re.search(r"RACECHECK SUMMARY: (\d+) hazards?", text)
    return (int(found[1]) if found else 0), text[-2000:]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, names = sys.argv[1], sys.argv[2:]
    bugs = [bug for bug in read_list("races.txt") if not names or bug.name in names]
    if unknown := set(names) - {bug.name for bug in bugs}:
        sys.exit(f"races.txt has no {', '.join(sorted(unknown))}")
    originals = {ROOT / bug.file: (ROOT / bug.file).read_text() for bug in bugs}
    if problems := [f"{bug.name}: {bug.problem()}" for bug in bugs if bug.problem()]:
        print("\n".join(problems))
        return 2
    try:
        for bug in bugs:
            path = ROOT / bug.file
            path.write_text(path.read_text().replace(bug.text, bug.replacement))
        status, text = output_of(["cmake", "--build", build, "--target", "miniapp"])
    finally:
        for path, original in originals.items():
            path.write_text(original)
    if status != 0:
        print(text[-2000:])
        return 2
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        miniapp, ceilings = str(pathlib.Path(build, "bin", "miniapp").resolve()), f"{folder}/ceilings.json"
        # Measured once without the tool: its kernels would run for minutes under it.
        output_of([miniapp, "--backend", "cuda", "--algorithm", "yax", "--variant", "team", "--rows", "8", "--cols", "8", "--ceilings", ceilings])
        for bug in bugs:
            count, end = hazards(miniapp, ceilings, bug.tests)
            missed += count == 0
            print(f"{bug.name}\t" + (f"reported, {count} hazards" if count else f"SURVIVED\n{end}"), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
