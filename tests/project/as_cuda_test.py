#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvcc_wrapper compiles every file as CUDA: does nvcc's front end take them all? Compile only, for a GPU or none.

usage: as_cuda_test.py SOURCE BUILD FOLDER...     FOLDERs hold Kokkos' headers with CUDA switched on
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    nvcc = re.search(r"^CMAKE_CUDA_COMPILER:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
    entries = {entry["file"]: shlex.split(entry["command"]) for entry in json.loads((build / "compile_commands.json").read_text())
               if re.match(rf"{re.escape(str(source))}/(lib|miniapp)/.*\.cpp$", entry["file"])}
    assert len(entries) > 150, f"only {len(entries)} files"

    def problem_of(file):
        words = entries[file]
        kept = [word for word in words if word.startswith(("-D", "-I"))]
        system = [f"-isystem={after}" for word, after in zip(words, words[1:]) if word == "-isystem" and "/kokkos" not in after]
        with tempfile.NamedTemporaryFile(suffix=".ii") as out:
            done = subprocess.run([nvcc, "-forward-unknown-to-host-compiler", *(f"-I{folder}" for folder in sys.argv[3:]), *kept, *system,
                                   "-arch=sm_90", "--extended-lambda", "-Xcompiler=-fopenmp,-march=native", "--diag-suppress=1675",
                                   f"-include={source}/cmake/cuda13_for_older_kokkos.h", "-std=c++20", "-x", "cu", "-cuda", file, "-o", out.name],
                                  cwd=build, capture_output=True, text=True)
        return f"{file}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}" if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(problem_of, entries) if problem]
    print("\n".join(problems + [f"{len(entries)} files, {len(problems)} not taken"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
