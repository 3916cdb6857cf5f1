#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what limits each rung: as the mini-app estimates it, as it reads Nsight Compute's counters
(--ncu-csv), and as Nsight Compute's own rule has it.

    benchmarks/limiter.py MINIAPP FOLDER/NAME_ALGORITHM.json...

The files are those of benchmarks/limiter.sh. Prints the rungs that are seen differently, and why, in
Markdown. Exit status: 1 where the counters are read otherwise than by the rule, or nothing explains why
the estimate differs.
"""
import csv
import pathlib
import re
import subprocess
import sys

from measured import load, stem_of

# How the rule SOLBottleneck begins, and our word for it.
RULE = {"This workload is utilizing greater than 80.0%": "near the roof",
        "Memory is more heavily utilized": "memory",
        "Compute is more heavily utilized": "compute",
        "Compute and Memory are well-balanced": "balanced",
        "This workload exhibits low compute": "latency",
        "This kernel grid is too small": "small grid"}


def rules(path):
    """{number of the kernel: our word for what ncu says of it}"""
    found = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            words = [word for start, word in RULE.items() if row["Rule Description"].startswith(start)]
            found[int(row["ID"])] = words[0] if words else row["Rule Description"]
    return found


def counted(miniapp, path, algorithm):
    """Of each kernel: its name, microseconds, limiter, and busy per cents."""
    text = subprocess.run([miniapp, "--ncu-csv", path, "--algorithm", algorithm], check=True, capture_output=True,
                          text=True).stdout
    kernels = []
    for part in text.split("\n\n"):
        if match := re.search(r"^(\S.*?)  grid .*?([\d.]+) us\n +limiter  (.*) \(counted\)\n +busy +(.*)\n", part):
            busy = {name: float(value) for name, value in re.findall(r"(\w+) ([\d.]+) %", match[4])}
            cause = re.search(r"\n +why +(.*)", part)[1]
            kernels.append((match[1], float(match[2]), match[3], busy, cause))
    return kernels


def why(estimate, limiter, busy):
    """What explains that the estimate, by the least bytes and operations, is another."""
    if limiter.startswith("memory") and busy["DRAM"] < busy["memory"] - 10:
        return f"the caches are {busy['memory']:.0f} % busy, DRAM {busy['DRAM']:.0f} %: the estimate sees DRAM alone"
    if limiter.startswith("compute") or limiter == "balanced":
        return f"instructions keep it {busy['compute']:.0f} % busy: the estimate counts operations alone"
    levels = {"latency": 0, "memory": 60, "memory, near the roof": 80}
    if estimate in levels and limiter in levels:
        line = max(levels[estimate], levels[limiter])
        if abs(busy["memory"] - line) <= 20:
            return f"{busy['memory']:.0f} % of the peak on paper: the estimate uses the measured peak, and {line} % lies between"
    return ""


def rows_of(path, miniapp):
    """(variant, model, estimate, kernel that took longest, what ncu's rule says of it) of each rung."""
    context, entries = load(path)
    algorithm = entries[0]["algorithm"]
    stem = stem_of(path)
    kernels = counted(miniapp, path.with_name(stem + "_counters.csv"), algorithm)
    said = rules(path.with_name(stem + "_rules.csv"))
    disagree = [f"{kernels[k][0]}: counted {kernels[k][2]}, ncu {word}" for k, word in said.items()
                if word not in kernels[k][2]]
    rows, at = [], 0
    for entry in entries:
        if "ms" not in entry:
            continue  # it did not run, a library without that type say
        number = max(range(at, at + len(entry["launches"])), key=lambda k: kernels[k][1])
        at += len(entry["launches"])
        rows.append((algorithm, entry["variant"], entry["model"], entry["limiter_estimated"], kernels[number]))
    if at != len(kernels):
        sys.exit(f"{path}: {at} launches were measured, {len(kernels)} counted")
    return context, rows, len(kernels), disagree


def main(miniapp, paths):
    all_rows, kernels, disagree = [], 0, []
    for path in paths:
        context, rows, number, wrong = rows_of(pathlib.Path(path), miniapp)
        all_rows += rows
        kernels += number
        disagree += wrong
    other = [row for row in all_rows if row[3] != row[4][2]]
    print(f"{context['device']}; {context['date'][:10]}, commit {context['ado_commit']}. The mini-app reads the counters of "
          f"{kernels - len(disagree)} of {kernels} kernels as ncu's own rule does. The estimate is the same for "
          f"{len(all_rows) - len(other)} of {len(all_rows)} rungs. The others:\n")
    print("| algorithm | rung | model | estimated | counted | because |\n|---|---|---|---|---|---|")
    status = bool(disagree)
    for algorithm, variant, model, estimate, (_, _, limiter, busy, _) in other:
        reason = why(estimate, limiter, busy)
        status = status or not reason
        print(f"| {algorithm} | `{variant}` | {model} | {estimate} | {limiter} | {reason or 'not explained'} |")
    for line in disagree:
        print(line, file=sys.stderr)
    return int(status)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
