#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What another Kokkos, compiler or flag costs: runs several builds of a mini-app in turn and compares each with the first.

usage: releases.py FOLDER NAME=PROGRAM... [--rounds N] [-- OPTION...]   measure; the options go to all programs
       releases.py SUMMARY.json...                                      print the tables of such measurements

In each round every program runs once, in an order that is drawn. The records are FOLDER/NAME_ROUND.json, and
FOLDER/summary.json is what they say together.
"""
import argparse
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys


def measure(folder, programs, rounds, options):
    folder.mkdir(parents=True, exist_ok=True)
    for name in programs:
        for old in records(folder, name):
            old.unlink()
    for number in range(rounds):
        for name, program in random.sample(list(programs.items()), len(programs)):
            record = folder / f"{name}_{number}.json"
            done = subprocess.run([program, *options, "--ceilings", folder / "ceilings", "--json", record], capture_output=True, text=True)
            if not record.exists():
                sys.exit(f"{program}: ended with status {done.returncode} and wrote no record: {done.stderr.strip()}")
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)


def records(folder, name):
    return sorted(path for path in folder.glob("*.json") if re.fullmatch(re.escape(name) + r"_\d+\.json", path.name))


def compared(folder, program, first, other):
    """By case, B/A and what `compare` makes of it."""
    done = subprocess.run([program, "compare", *records(folder, first), "--with", *records(folder, other), "--json", "-"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} compare: {done.stderr.strip()}")
    return {case.pop("case"): case for case in json.loads(done.stdout)["cases"]}


def medians(folder, name, key):
    """The median of a key of the rows in the runs of a program, by case."""
    found = {}
    for record in records(folder, name):
        for entry in json.loads(record.read_text())["benchmarks"]:
            if key in entry:
                found.setdefault(entry["name"], []).append(entry[key])
    return {case: statistics.median(values) for case, values in found.items()}


def summarize(folder, programs, options):
    first, *others = programs
    contexts = {name: json.loads(records(folder, name)[0].read_text())["context"] for name in programs}
    facts = ("date", "cpu", "device", "backend", "ado_commit", "compiler", "compiler_flags", "kokkos_version")
    summary = {"options": options, "rounds": len(records(folder, first)),
               "builds": {name: {fact: context.get(fact) for fact in facts} for name, context in contexts.items()},
               "first": medians(folder, first, "portable_over_native"),
               "first_ms": medians(folder, first, "real_time"),
               "others": {name: compared(folder, programs[first], first, name) for name in others}}
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    return summary


def cell(case):
    if case is None or "ratio" not in case:
        return "-"
    interval = f" ({case['ratio_low']:.3f} to {case['ratio_high']:.3f})" if case["verdict"] in ("slower", "faster") else ""
    return f"{case['ratio']:.3f}" + ("?" if case["verdict"] == "inconclusive" else interval)


def table(summary):
    first, *others = summary["builds"]
    of_first, unit = summary["first"], "over by hand"
    if not of_first:  # one model alone, where `compare` compares times
        of_first, unit = summary["first_ms"], "ms"
    lines = [f"| kernel | {first}, {unit} | " + " | ".join(others) + " |", "|---|" + "--:|" * (1 + len(others))]
    judged = [case for found in summary["others"].values() for case, of in found.items() if of.get("verdict") != "reference"]
    for case in dict.fromkeys([*of_first, *judged]):
        algorithm, variant = case.split("/")[:2]
        ratio = f"{of_first[case]:.3f}" if case in of_first else "-"
        cells = [cell(summary["others"][name].get(case)) for name in others]
        lines.append(f"| {algorithm} {variant.removeprefix('kokkos_')} | {ratio} | " + " | ".join(cells) + " |")
    print("\n".join(lines))


def main():
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", nargs="+", metavar="FOLDER NAME=PROGRAM")
    parser.add_argument("--rounds", type=int, default=16)
    arguments = parser.parse_args(own)
    if arguments.rounds < 5:
        sys.exit(f"releases.py: --rounds {arguments.rounds}: five runs of each are the least that tell a difference from chance")
    place, *rest = arguments.place
    if rest and all("=" in word for word in rest):
        programs = dict(word.split("=", 1) for word in rest)
        measure(pathlib.Path(place), programs, arguments.rounds, options)
        table(summarize(pathlib.Path(place), programs, options))
    else:
        for name in arguments.place:
            table(json.loads(pathlib.Path(name).read_text()))


if __name__ == "__main__":
    main()
