#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy on the C++ files of a build, those first whose text, or whose headers' text, changed last.

    tests/project/tidy.py BUILD [SECONDS]

Each file takes up to a minute, because clang reads all of its headers. SECONDS: stop then; what is left is unchecked, and counted.
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


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def ages():
    """File -> how many commits ago it changed last."""
    found = {}
    for place, names in enumerate(git("log", "--name-only", "--diff-filter=AMR", "--format=%x01").split("\x01")):
        for name in names.split():
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
    """The build's sources that git tracks: those first that, or whose headers, changed in the latest commit."""
    age, known = ages(), {}
    commands = json.loads((build / "compile_commands.json").read_text())
    built = {os.path.relpath(os.path.realpath(entry["file"]), ROOT) for entry in commands}
    ours = sorted(name for name in built & set(git("ls-files").split()) if name.endswith(".cpp"))

    def key(name):
        own = age.get(name, len(age))
        return min(age.get(path, len(age)) for path in headers(name, known)), own

    return sorted(ours, key=key)


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
    for tool in ("clang-tidy", "g++", "git"):
        if not shutil.which(tool):
            print(f"skipped: clang_tidy: no {tool} found")
            return 0
    end = time.monotonic() + float(sys.argv[2] if len(sys.argv) > 2 else "inf")
    # omp.h is the one header of GCC's own that clang would not find.
    omp = subprocess.run(["g++", "-print-file-name=include/omp.h"], capture_output=True, text=True, check=True).stdout.strip()
    names = sources(build)
    if not names:
        sys.exit(f"{build}: none of the project's files is built there")
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        said = list(pool.map(lambda name: complaint(name, build, os.path.dirname(omp), end), names))
    bad = [text for text in said if text]
    print("\n".join([*bad, f"clang-tidy: {len(names) - said.count(None)} of {len(names)} files, {len(bad)} failed"]))
    return 1 if bad else 0


sys.exit(main())
