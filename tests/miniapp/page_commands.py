#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every command of pages, as a reader types it:  page_commands.py SOURCE_FOLDER BUILD_FOLDER PROGRAM PAGE...

Commands are what is indented, what is fenced as sh, and what stands in backquotes in a column `the command here` or
`write`; what a command prints is fenced without a language. On docs/options.md every option of --help must have one. They run one after the other in a copy of the project whose `./ado run` and `miniapp` are this
script, which makes sizes and times small:
page_commands.py --run PROGRAM ARGUMENT... Exit status 1: a command failed, or an option has none.

In a lesson of docs/course, and in docs/three-problems.md, a fence shows what the command before it prints. Its lines, but for `...`, must come in that
order. Figures, limiters and verdicts on ratios may differ; words, columns, and what is WRONG may not. A fence that
shows something WRONG asks for exit status 1.
"""
import gzip
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

MATRIX = {"--rows": "64", "--cols": "48"}
VECTORS = {"-N": "6", "-L": "5", "-M": "40"}
CHUNKS = {"--chunks": "4", "--chunk-elements": "1000", "--work-per-element": "3"}
SMALL = {"yax": MATRIX, "transpose": MATRIX, "average": VECTORS, "average_mv": VECTORS, "vector_add": {"-n": "1000"},
         "pipeline": CHUNKS}
LONG_NAMES = {"-N": "--sets", "-L": "--length", "-M": "--vectors", "-n": "--elements"}
SHORTER = {"--min-time": "0.01", "--timeout": "0.2", "--reps": "3", "--warmup": "2"}
SMALLER = {"rows=cols=1Ki:8Ki:x2": "rows=cols=64:512:x2", "160Ki": "160"}
# What an example of the table needs beside what it says, and how one may end otherwise.
NEEDS = {"--input": ["--algorithm", "yax", "--model", "kokkos", "--variant", "team"]}
STATUS = {
    "--max-noise": (0, 5),  # a noisy machine
    "--max-ratio": (0, 4, 5),  # a time decides
    "--skip-verification": (6,),
    "--team-size": (0, 2),  # a host's team is one thread
    "compare": (0, 4),
}
# What does not run here, and why; the mini-app's options among it have tests of their own.
ELSEWHERE = {
    "[option...]": "is no command but its form",
    "./ado test": "runs this test",
    "cuda": "needs a GPU",
    "--kokkos-device-id": "needs a GPU",
    "--launches": "needs a GPU",
    "/path/to/": "needs another program",
    "nsys": "needs another program",
    "--target course": "was done before this test",
    "miniapp_places": "needs a build folder; the test example_places makes such programs",
    "three_problems --variant plain": "takes half a minute",
    "gallery/gallery": "takes a minute",
}
# What it takes to run the rest: a program, or modules of Python.
TAKES = {"| man ": "man", "digits/": "numpy", "out/": "numpy", "pip install": "setuptools, wheel, pip"}


def spans_of_column(text, title):
    """What stands in backquotes in the columns of that title."""
    column = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if title in cells:
            column = cells.index(title)
        elif not line.startswith("|"):
            column = None
        elif column is not None:
            yield from re.findall(r"`([^`]+)`", cells[column])


def commands_of_tables(text):
    """What the columns `write` and `the command here` of a page tell to type; in the former options stand alone."""
    for span in spans_of_column(text, "write"):
        if span.startswith(("--", "-N", "compare", "explain")):
            yield "miniapp " + span
        elif span.startswith("./ado"):
            yield span
    yield from (span for span in spans_of_column(text, "the command here")
                if span.startswith(("miniapp ", "./ado ", "nsys ")))


def lines_to_type(text):
    """(line, whether it is typed) of what is typed and of what is printed."""
    fence, before = None, ""
    for line in text.splitlines():
        indented = line.startswith("    ") and (before == "" or before.startswith("    "))
        if line.startswith("```"):
            fence = line[3:] if fence is None else None
        elif fence == "sh" or (fence is None and indented):
            yield line, True
        elif fence == "":
            yield line, False
        before = line


def commands_and_prints(text):
    """[command, lines printed] of a page. A command may take several lines."""
    found, command = [], ""
    for line, is_typed in lines_to_type(text):
        if not is_typed:
            if found:
                found[-1][1].append(line)
            continue
        command += line.strip() + "\n"
        is_whole = not subprocess.run(["sh", "-n"], input=command, text=True, capture_output=True).returncode
        if is_whole and not line.endswith("\\"):
            found.append([command.strip(), []])
            command = ""
    return found + ([[command.strip(), []]] if command else [])


def shape(line):
    """A printed line without what differs from run to run. Predictions and counters that were kept do not."""
    if re.match(r" +(predicted|busy|global|shared|warps|waits)  ", line):
        return " ".join(line.split())
    if not line.strip("- "):
        return line[:1]  # a line under titles, whatever the widths
    line = re.sub(r"\bcached!", "2!", line)  # a share of the ceiling
    line = re.sub(r"95 %|\binterval\b|\s[\d.]+-[\d.]+(?=\s|$)", " ", line.rstrip())
    line = re.sub(r"\b(latency|memory|compute|balanced|link)(?=( verified)?$)", "LIMITER", re.sub(r"  +verified$", " verified", line))
    line = re.sub(r"\b(allocate|prepare|copy in|compute|copy out|store|host)(?=  +[\d.]+$)", "LONGEST", line)
    line = re.sub(r"\b(slower|faster|same|undecided)$", "VERDICT", line)
    return " ".join(re.sub(r"^([(]?)[-+]?\d[\d.,]*(e[+-]?\d+)?([?!~]*)([,;:)%]*)$", r"\1#\4", word) for word in line.split())


def not_printed(shown, printed):
    """The first line shown that was not printed after those before it; empty: all were."""
    lines = iter([shape(line) for line in printed.splitlines()])
    for line in shown:
        if line.strip() not in ("", "...") and shape(line) not in lines:
            return line
    return ""


def write_npy(path, shape):
    count = 1
    for extent in shape:
        count *= extent
    header = repr({"descr": "<f8", "fortran_order": False, "shape": tuple(shape)}).encode()
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    data = struct.pack(f"<{count}d", *(((k * 7919) % 1000) / 1000 for k in range(count)))
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def shortened(words):
    """The arguments of the mini-app with small sizes and short times where they say nothing of them."""
    words = [SMALLER.get(word, word) for word in words]
    if words and not words[0].startswith("-"):
        return words
    for k, word in enumerate(words[:-1]):
        if word in SHORTER:
            words[k + 1] = SHORTER[word]
    words += NEEDS.get(words[0], []) if words else []
    alone = {"--help", "--version", "--list", "--man", "--completion", "--selftest", "--ncu-csv", "--input"}
    if alone & set(words):
        return words
    swept = " ".join(words[k + 1] for k, word in enumerate(words[:-1]) if word == "--sweep")
    given = set(words) | {f"--{name}" for name in re.findall(r"(\w+)=", swept)} \
        | {f"-{name}" for name in re.findall(r"\b([NLMn])=", swept)}
    if "--algorithm" not in words:
        words += ["--algorithm", "yax" if {"--timeout", "--max-noise"} & set(words) else "all"]
    algorithms = words[words.index("--algorithm") + 1].split(",")
    for algorithm in SMALL if algorithms == ["all"] else algorithms:
        for option, value in SMALL[algorithm].items():
            if option not in [*given, *words] and LONG_NAMES.get(option) not in given:
                words += [option, value]
    if any(word in ("2^14", "10k", "10M") for word in words):
        words.append("--dry-run")
    if not {"--reps", "--min-time", "--max-noise", "--timeout", "--dry-run"} & set(words):
        words += ["--reps", "2"]
    if not {"--ceilings", "--dry-run", "--profile"} & set(words) and not any(word.startswith("--kokkos") for word in words):
        words += ["--ceilings", "kept.json"]  # else each run measures them, for seconds
    return words


def program_file(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


def project_in(folder, source, build, program):
    """A copy of the project, for commands write into it; its programs are small. Returns it and their environment."""
    project, home = folder / "ado", folder / "home"
    home.mkdir()
    shutil.copytree(source, project, symlinks=True, ignore=shutil.ignore_patterns("build", ".git"))
    small = shlex.join([sys.executable, os.path.abspath(__file__), "--run", str(program)])
    for name in ("bin/miniapp", "ado/build/openmp/bin/miniapp", "ado/before/miniapp", "ado/after/miniapp"):
        program_file(folder / name, f'exec {small} "$@"\n')
    course = shlex.join([sys.executable, os.path.abspath(__file__), "--run", str(program.parent / "course")])
    program_file(project / "build/openmp/bin/course", f'exec {course} "$@"\n')
    program_file(project / "ado", f'case $1 in run) shift; exec {small} "$@" ;; explain) exec {small} "$@" ;; esac\n'
                 f'exec {source}/ado "$@"\n')
    program_file(folder / "bin/python3", f'exec {sys.executable} "$@"\n')
    program_file(folder / "bin/pip", f'exec {sys.executable} -m pip "$@"\n')
    (project / "build/openmp/cmake_install.cmake").symlink_to(build / "cmake_install.cmake")
    # pip: no network, and nothing outside of the folder.
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_TARGET": str(folder / "site"),
           "PIP_BREAK_SYSTEM_PACKAGES": "1"}
    return project, {**os.environ, **pip, "HOME": str(home), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}


def make_files(project, environment):
    """What examples of the manual read and no earlier one writes."""
    shutil.copy(project / "tests/data/ncu_h200.csv", project / "yax.csv")
    (project / "gpu.json").write_bytes(gzip.decompress((project / "benchmarks/results/h200_512.json.gz").read_bytes()))
    write_npy(project / "A.npy", (20, 30))
    write_npy(project / "X.npy", (30,))
    for name in ("before", "after", "cpu"):
        subprocess.run(["miniapp", "--algorithm", "yax", "--reps", "3", "--json", f"{name}.json"], cwd=project,
                       env=environment, check=True, capture_output=True)


def why_not(command):
    """Why a command does not run here; empty where it does."""
    for part, why in ELSEWHERE.items():
        if part in command:
            return why
    if "exercise_race" in command and (len(os.sched_getaffinity(0)) == 1 or os.environ.get("OMP_NUM_THREADS") == "1"):
        return "needs two cores"
    for part, what in TAKES.items():
        python = [sys.executable, "-c", f"import {what}"]
        if part in command and not shutil.which(what) and subprocess.run(python, capture_output=True).returncode:
            return f"takes {what}, not found here"
    return ""


def run(command, shown, project, environment):
    """What went wrong; empty: nothing. `shown`: lines that the page says it prints."""
    done = subprocess.run(["sh", "-ec", command], cwd=project, env=environment, capture_output=True, text=True, timeout=600)
    allowed = next((status for word, status in STATUS.items() if word in command.split()), (0,))
    if "WRONG" in "".join(shown):
        allowed = (1,)
    if done.returncode not in allowed:
        return f"{command}\n  exit status {done.returncode}: {(done.stderr + done.stdout).strip()[-600:]}"
    is_gpu = re.search("^device +(?! |OpenMP)", done.stdout, re.MULTILINE)  # the pages show a CPU's screen
    if not is_gpu and (line := not_printed(shown, done.stdout)):
        return f"{command}\n  did not print, in its place: {line}\n{done.stdout}"
    return ""


def options_without_example(program, text):
    usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    seen = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", text))
    for line in usage.splitlines():
        if names := re.match(r" {2,10}(--?\w[\w-]*)(?:, *(--\w[\w-]*))?", line):  # CLI11 2.6 sets long names apart
            names = [name for name in names.groups() if name]
            if not seen & set(names) and names[-1] not in ("--help", "--version"):
                yield f"{names[-1]}: no example in docs/options.md"


def main():
    if sys.argv[1] == "--run":
        os.execv(sys.argv[2], ["miniapp", *shortened(sys.argv[3:])])
    source, build, program = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    failed, left_out, wanted = [], {}, 0
    with tempfile.TemporaryDirectory() as folder:
        project, environment = project_in(pathlib.Path(folder), source, build, program)
        for page in sys.argv[4:]:
            text = (source / page).read_text()
            typed = [*([command, []] for command in commands_of_tables(text)), *commands_and_prints(text)]
            if page in ("docs/features.md", "docs/miniapp.md", "docs/numbers.md", "docs/options.md"):
                make_files(project, environment)
            if page == "docs/options.md":
                failed += options_without_example(program, "\n".join(command for command, _ in typed))
            wanted += len(typed)
            for command, shown in typed:
                if why := why_not(command):
                    left_out.setdefault(why, []).append(command)
                elif wrong := run(command, shown if page.startswith(("docs/course/", "docs/three-problems")) else [], project, environment):
                    failed.append(f"{page}: {wrong}")
    count = wanted - sum(map(len, left_out.values()))
    pages = sys.argv[4] if len(sys.argv) == 5 else f"{len(sys.argv) - 4} pages"
    if left_out and not count:
        print(f"skipped: commands.{pages}: {', '.join(left_out)}")
    print("\n".join([*failed, f"{pages}: {count} commands run, {len(failed)} failures, {wanted - count} left out"]))
    for why, them in left_out.items():
        print(f"left out, for it {why}:", *them, sep="\n  ")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
