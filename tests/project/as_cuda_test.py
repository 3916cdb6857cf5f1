#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvcc_wrapper compiles every file as CUDA: does nvcc's front end take those that portable_as_cuda has not? And does it
emit a kernel that only prepare() launches?

usage: as_cuda_test.py SOURCE BUILD [prepared]     a build with the target portable_as_cuda, whose options these files get;
                                                   prepared: only the second question
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
    commands = {entry["file"]: shlex.split(entry["command"]) for entry in json.loads((build / "compile_commands.json").read_text())}
    portable = {file: words for file, words in commands.items() if file.startswith(f"{build}/portable_as_cuda/")}
    as_cuda = next(iter(portable.values()))
    as_cuda = as_cuda[:as_cuda.index("-x")]
    files = [file for file in commands if re.match(rf"{re.escape(str(source))}/(lib|miniapp)/.*\.cpp$", file)
             and f"{build}/portable_as_cuda/{pathlib.Path(file).relative_to(source)}.cu" not in portable]
    assert len(files) > 100, f"only {len(files)} files"
    if sys.argv[3:] == ["prepared"]:
        files = []

    def problem_of(file):
        words = commands[file]
        of_its_own = [word for word in words if word.startswith(("-D", "-I"))]
        of_its_own += [f"-idirafter{folder}" for option, folder in zip(words, words[1:]) if option == "-isystem"]  # of libraries
        with tempfile.NamedTemporaryFile(suffix=".ii") as out:
            done = subprocess.run([*as_cuda, *of_its_own, "-x", "cu", "-cuda", file, "-o", out.name], cwd=build, capture_output=True, text=True)
        return f"{file}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}" if done.returncode else ""

    def prepared_kernels():
        with tempfile.NamedTemporaryFile(suffix=".o") as out:
            file = source / "tests/own/prepared.cpp"
            done = subprocess.run([*as_cuda, "-x", "cu", "-c", file, "-o", out.name], cwd=build, capture_output=True, text=True)
            if done.returncode:
                return f"{file}: exit status {done.returncode}\n{done.stderr[-2000:]}"
            symbols = subprocess.run(["nm", out.name], capture_output=True, text=True, check=True).stdout
        return "" if re.search("__device_stub__.*LaunchedByPrepare", symbols) else f"{file}: its kernel is left out"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in [*pool.map(problem_of, files), prepared_kernels()] if problem]
    print("\n".join(problems + [f"{len(files) + 1} files, {len(problems)} not taken"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
