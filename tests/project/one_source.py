#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the variants `team` are one source: they, and the headers that they include, name no backend, no instruction of one,
and do not ask for what they are compiled. The words and the constants may, and what launches a kernel or lets threads meet.

    one_source.py [LIB]     LIB is lib/ado; exit status 1 and the lines where one does
"""
import pathlib
import re
import sys

LIB = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2] / "lib/ado")
VOCABULARY = {"portable/packs.hpp", "portable/constants.hpp"}
MACHINERY = {f"portable/{name}.hpp" for name in ("lanes", "launch", "team_sums", "variant")}
BACKEND = re.compile(
    r"Kokkos::(Cuda|HIP|SYCL|OpenMP|Threads|Serial)\b|KOKKOS_IF_ON|KOKKOS_ENABLE|runs_on_host|launches_wait|is_host|on_host|"
    r"__CUDA|__HIP|__SYCL|#\s*if|_mm\d*_|__builtin|\basm\b|#pragma omp")


def closure(path, seen):
    """Adds the headers of LIB that `path` includes, and those that they include."""
    for name in re.findall(r"#include <ado/([^>]+)>", path.read_text()):
        if name not in seen:
            seen.add(name)
            closure(LIB / name, seen)
    return seen


def main():
    teams = sorted(LIB.glob("*/kokkos/team.cpp"))
    files = set(teams)
    for path in teams:
        files |= {LIB / name for name in closure(path, set()) - VOCABULARY - MACHINERY if name.split("/")[0] not in ("core", "registry", "host")}
    found = [f"{path.relative_to(LIB)}:{number}: {line.strip()}" for path in sorted(files)
             for number, line in enumerate(path.read_text().splitlines(), 1)
             if BACKEND.search(line.split("//")[0])]
    print("\n".join(found) or f"{len(teams)} variants, {len(files)} files: one source")
    return 1 if found or len(teams) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
