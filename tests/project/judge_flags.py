#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No flag of the kernels reaches what judges them: the instrument, and each file of lib/ that has an oracle.

    tests/project/judge_flags.py ROOT BUILD

Each of these is compiled with flags behind CMAKE_CXX_FLAGS (ado_judges in cmake/Warnings.cmake), which turn -ffast-math
off. Exit status 0: so it is; 1: each file without them has a line.
"""
import json
import pathlib
import re
import sys

ORACLE = re.compile(r"public Oracle\b|\bSumOracle\b|\bOracleSum<|\boracle_of_sums\(|/reference\.hpp>")
FAST = ("-ffast-math", "-Ofast", "-ffinite-math-only")


def judges(file, lib):
    folder = file.relative_to(lib).parts[0]
    return folder in ("bench", "core", "registry") or ORACLE.search(file.read_text())


def main(root, build):
    lib = root.resolve() / "lib" / "ado"
    judged = wrong = 0
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if lib not in file.parents or not judges(file, lib):
            continue
        judged += 1
        flags = entry["command"]
        if flags.rfind("-fno-finite-math-only") <= max(map(flags.rfind, FAST)):
            wrong += 1
            print(f"{file}: judges, and is not in ado_judges() of its CMakeLists.txt")
    print(f"{judged} files that judge, {wrong} without flags of their own")
    return 1 if wrong or judged == 0 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
