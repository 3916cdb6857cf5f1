#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says which kernels of `tuned` need more registers than they may have, and fails where they spill more than before.

    tests/project/spills.py BUILD

BUILD has made the target portable_as_cuda, as PTX. A kernel that spills is right and slow, so no other test sees it.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ALLOWED = {"average_mv": 212, "transpose": 36}  # bytes of a kernel, for sm_90 and CUDA 13.0; others: none


def spilled(ptxas, path):
    """Kernel -> bytes of spill stores, of all kernels."""
    said = subprocess.run([ptxas, "-arch=sm_90", "-v", path, "-o", "/dev/null"], check=True, capture_output=True, text=True)
    found = re.findall(r"Compiling entry function '(\S+)'.*?(\d+) bytes spill stores", said.stderr, re.DOTALL)
    return {kernel: int(bytes_) for kernel, bytes_ in found}


def main():
    build = pathlib.Path(sys.argv[1])
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    files = sorted(build.rglob("kokkos/tuned.cpp.ptx"))
    if not files:
        sys.exit(f"{build}: no tuned.cpp.ptx there; build the target portable_as_cuda first")
    worse = []
    for path in files:
        algorithm, kernels = path.parent.parent.name, spilled(ptxas, path)
        most = max(kernels.values())
        print(f"{algorithm}: {len(kernels)} kernels, {sum(map(bool, kernels.values()))} spill, at most {most} bytes")
        worse += [f"{kernel}: {n} bytes" for kernel, n in kernels.items() if n > ALLOWED.get(algorithm, 0)]
    if worse:
        sys.exit("spilled more than before:\n" + "\n".join(worse))


main()
