#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy on the C++ files of a build, those first whose text, or whose headers' text, changed last.

    tests/project/tidy.py BUILD [SECONDS]

Each file takes half a minute, for clang reads all of Kokkos. SECONDS: stop then; what is left is unchecked, and counted.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def ages():
    """File -> how many changes ago it changed last; in a copy without history all are alike."""
    log = subprocess.run(["git", "log", "--name-only", "--diff-filter=AMR", "--format="], cwd=ROOT, capture_output=True, text=True)
    found = {}
    for place, name in enumerate(log.stdout.split()):
        found.setdefault(name, place)
    return found


def headers(path, known):
    """A source's own text and that of all it includes, as names below ROOT."""
    if path not in known:
        known[path] = {path}
        for name in re.findall(r'^#include [<"]([\w/.]+)[>"]', (ROOT / path).read_text(errors="replace"), re.MULTILINE):
            for place in (f"lib/{name}", name, str(pathlib.Path(path).parent / name), f"tests/support/{name}"):
                if (ROOT / place).is_file():
                    known[path] |= headers(place, known)
                    break
    return known[path]


def sources(build):
    """The build's sources that git tracks, the latest changed first."""
    age, known = ages(), {}
    built = {os.path.relpath(entry["file"], ROOT) for entry in json.loads((build / "compile_commands.json").read_text())}
    tracked = set(subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split())
    ours = sorted(name for name in built & tracked if name.endswith(".cpp"))
    return sorted(ours, key=lambda name: min(age.get(path, len(age)) for path in headers(name, known)))


def complaint(name, build, gcc_headers, end):
    """What clang-tidy says of a file, empty: nothing; None: there was no time."""
    left = end - time.monotonic()
    if left <= 0:
        return None
    command = ["clang-tidy", "-p", build, "--quiet", f"--extra-arg=-idirafter{gcc_headers}",
               "--extra-arg=-Wno-unknown-warning-option", ROOT / name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=None if left == float("inf") else left)
    except subprocess.TimeoutExpired:
        return None
    return f"{name}:\n{done.stdout}{done.stderr}" if done.returncode else ""


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("clang-tidy"):
        print("skipped: clang_tidy: no clang-tidy found")
        return 0
    end = time.monotonic() + float(sys.argv[2] if len(sys.argv) > 2 else "inf")
    # omp.h is the one header of GCC's own that clang would not find.
    omp = subprocess.run(["g++", "-print-file-name=include/omp.h"], capture_output=True, text=True, check=True).stdout.strip()
    names = sources(build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda name: complaint(name, build, os.path.dirname(omp), end), names))
    bad = [text for text in said if text]
    print("\n".join([*bad, f"clang-tidy: {len(names) - said.count(None)} of {len(names)} files, {len(bad)} failed"]))
    return 1 if bad else 0


sys.exit(main())
