#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of docs/miniapp.md:  manual_examples.py SOURCE_FOLDER PROGRAM

Those of its first table and every line of code that begins with the mini-app, on small data and for short
times, each in a folder of its own; and looks whether every option of --help has one. Exit status 1: an
example failed, or an option has none.
"""
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
# What an example needs beside what it says, or why it has to end otherwise.
NEEDS = {
    "--input": ["--algorithm", "yax", "--model", "kokkos", "--variant", "team"],
    "--ncu-csv yax.csv": [],
}
STATUS = {
    "--max-noise": (0, 5),  # a noisy machine
    "--max-ratio": (0, 4, 5),  # a time decides
    "--skip-verification": (6,),
    "--team-size": (0, 2),  # a host's team is one thread
    "compare": (0, 4),
}
# Those of one machine, or of a GPU, or of another program: their parsing has tests of its own.
ELSEWHERE = ("--kokkos-device-id", "--kokkos-tools-libs", "--launches", "[option...]")


def examples(manual):
    """The arguments of each example, as one text."""
    table = manual[manual.index("| you want |"):].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        for span in re.findall(r"`([^`]+)`", row.split(" | ")[1]):
            if span.startswith(("--", "-N", "compare", "explain")):
                yield span
    for line in re.findall(r"^    (?:build/openmp/bin/)?miniapp (.*)$", manual, re.MULTILINE):
        yield re.split(r" +# | [|>] ", line)[0].strip()


def write_npy(path, shape):
    count = 1
    for extent in shape:
        count *= extent
    header = repr({"descr": "<f8", "fortran_order": False, "shape": tuple(shape)}).encode()
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    data = struct.pack(f"<{count}d", *(((k * 7919) % 1000) / 1000 for k in range(count)))
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def arguments_of(example, folder):
    words = shlex.split(example.replace("1Ki:8Ki:x2", "64:512:x2"))
    if words[0] in ("compare", "explain"):
        return [name for word in words for name in (sorted(path.name for path in folder.glob(word)) or [word])]
    for k, word in enumerate(words[:-1]):
        if word in SHORTER:
            words[k + 1] = SHORTER[word]
    for option, more in NEEDS.items():
        if example.startswith(option):
            words += more
    alone = {"--help", "--version", "--list", "--man", "--completion", "--selftest", "--ncu-csv", "--input"}
    if alone & set(words):
        return words
    swept = " ".join(words[k + 1] for k, word in enumerate(words[:-1]) if word == "--sweep")
    given = set(words) | {f"--{name}" for name in re.findall(r"(\w+)=", swept)} \
        | {f"-{name}" for name in re.findall(r"\b([NLMn])=", swept)}
    if "--algorithm" not in words:
        words += ["--algorithm", "yax" if {"--timeout", "--max-noise"} & set(words) else "all"]
    algorithm = words[words.index("--algorithm") + 1]
    sizes = SMALL.get(algorithm) or {option: value for one in SMALL.values() for option, value in one.items()}
    for option, value in sizes.items():
        if option not in given and LONG_NAMES.get(option) not in given:
            words += [option, value]
    if any(word in ("2^14", "10k", "10M") for word in words):
        words.append("--dry-run")
    if not {"--reps", "--min-time", "--max-noise", "--timeout", "--dry-run"} & set(words):
        words += ["--reps", "2"]
    if not {"--ceilings", "--dry-run", "--profile"} & set(words) and not any(word.startswith("--kokkos") for word in words):
        words += ["--ceilings", "kept.json"]  # else each run measures them, for seconds
    return words


def main():
    source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    manual = (source / "docs/miniapp.md").read_text()
    failed, seen, count = [], set(), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "tests").symlink_to(source.resolve() / "tests")
        (folder / "yax.csv").symlink_to(source.resolve() / "tests/data/ncu_h200.csv")
        write_npy(folder / "A.npy", (20, 30))
        write_npy(folder / "X.npy", (30,))
        for name in ("before", "after"):
            subprocess.run([program, "--algorithm", "yax", "--rows", "64", "--cols", "48", "--reps", "3", "--json",
                            f"{name}.json"], cwd=folder, check=True, capture_output=True)
        for k in range(1, 7):
            shutil.copy(folder / "before.json", folder / f"a{k}.json")
            shutil.copy(folder / "after.json", folder / f"b{k}.json")
        for example in examples(manual):
            seen |= set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", example))
            if any(word in example for word in ELSEWHERE):
                continue
            words = arguments_of(example, folder)
            done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=300)
            allowed = next((status for start, status in STATUS.items() if start in words), (0,))
            count += 1
            if done.returncode not in allowed:
                failed.append(f"{shlex.join(words)}\n  exit status {done.returncode}: {done.stderr.strip()[-400:]}")
    usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    options = [line.split()[0].split(",") for line in usage.splitlines() if re.match(r"  --?\w", line)]
    for names in options:
        names = [re.sub(r"\[.*", "", name) for name in names]
        if not seen & set(names) and names[-1] not in ("--help", "--version"):
            failed.append(f"{names[-1]}: no example in docs/miniapp.md")
    print("\n".join(failed))
    print(f"{count} examples run, {len(failed)} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
