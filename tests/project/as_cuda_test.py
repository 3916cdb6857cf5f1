#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvcc_wrapper compiles every file as CUDA: does nvcc's front end take those that portable_as_cuda has not?

usage: as_cuda_test.py SOURCE BUILD     a build with the target portable_as_cuda, whose options these files get
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

    def problem_of(file):
        words = commands[file]
        of_its_own = [word for word in words if word.startswith(("-D", "-I"))]
        of_its_own += [f"-idirafter{folder}" for option, folder in zip(words, words[1:]) if option == "-isystem"]  # of libraries
        with tempfile.NamedTemporaryFile(suffix=".ii") as out:
            done = subprocess.run([*as_cuda, *of_its_own, "-x", "cu", "-cuda", file, "-o", out.name], cwd=build, capture_output=True, text=True)
        return f"{file}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}" if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(problem_of, files) if problem]
    print("\n".join(problems + [f"{len(files)} files, {len(problems)} not taken"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
