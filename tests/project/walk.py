#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far one walks: the files and lines behind each best kernel, and the size of each part of the project.

    tests/project/walk.py [ROOT]

A kernel's files are those that its own includes, directly or not. Left out is what only registers it: records, variant.hpp, and
what its record takes from the problem (sizes, accesses, roundings).
"""
import pathlib
import re
import subprocess
import sys

REGISTRATION = re.compile(r"^ado/registry/|/(variant|problem|accesses|rounding|reference)\.hpp$")
KERNELS = [(f"lib/ado/{algorithm}/kokkos/{way}.cpp", f"{algorithm}, `{way}`")
           for algorithm in ("average_mv", "transpose", "yax", "average", "vector_add") for way in ("plain", "team", "tuned")]
KERNELS += [(f"native_cuda/{algorithm}/team.cu", f"{algorithm}, by hand in CUDA")
            for algorithm in ("average_mv", "transpose", "yax", "average", "vector_add")]


def lines_of(path):
    """0 for what is no text: the newlines of a compressed file are chance."""
    content = path.read_bytes()
    return 0 if b"\0" in content else content.count(b"\n")


def behind(root, start):
    """All files that one includes, itself among them."""
    waiting, found = [start], []
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.append(path)
        for name in re.findall(r'^#include [<"]((?:ado|native_cuda)/[\w/.]+)[>"]', (root / path).read_text(), re.MULTILINE):
            if not REGISTRATION.search(name):
                waiting.append(("lib/" if name.startswith("ado/") else "") + name)
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    print("| behind | files | lines |\n|---|--:|--:|")
    for start, name in KERNELS:
        files = behind(root, start)
        print(f"| {name} | {len(files)} | {sum(lines_of(root / path) for path in files):,} |")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout.split("\0")
    tracked = [path for path in tracked if path and (root / path).is_file()]
    print("\n| part | files | lines |\n|---|--:|--:|")
    for part, prefix in (("the instrument", "lib/ado/bench/"), ("lib", "lib/"), ("native_cuda", "native_cuda/"), ("tests", "tests/"),
                         ("pages in front", "docs/"), ("pages of the lab", "docs/lab/"), ("pictures", "docs/pictures/"), ("all that is tracked", "")):
        files = [path for path in tracked if path.startswith(prefix)]
        if part == "pages in front":
            files = [path for path in files if path.endswith(".md") and not path.startswith("docs/lab/")]
        print(f"| {part} | {len(files):,} | {sum(lines_of(root / path) for path in files):,} |")


if __name__ == "__main__":
    main()
