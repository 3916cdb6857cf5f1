#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives what --json wrote to other programs.

    ./ado export google-benchmark run.json -o short.json   median, mean, stddev and cv of each row: compare.py reads a line each
    ./ado export hyperfine run.json -o times.json          for hyperfine's scripts: plot_whisker.py, plot_parametrized.py, ...
    ./ado export p3 run.json -o run.csv                    for the p3-analysis-library: a line for each problem and application

The record itself has Google Benchmark's format too, with an entry for each repetition.
"""
import argparse
import csv
import io
import json
import pathlib
import statistics
import sys
import types

from figures import efficiencies, problem
from figures import joined as application_of
from measured import RecordError, entries_of, platform, record, write_whole


def refuse(message):
    sys.exit(f"ado export: {message}")


def spread(values):
    """(name, unit, value) of what Google Benchmark adds to repetitions; those of a spread need two."""
    mean = statistics.fmean(values)
    found = [("mean", "time", mean), ("median", "time", statistics.median(values))]
    if len(values) > 1:
        deviation = statistics.stdev(values)
        found += [("stddev", "time", deviation), ("cv", "percentage", deviation / mean if mean else 0)]
    return found


def joined(rows):
    """Rows of one name, such as a native variant that several are compared with, are one row here. One that failed stands for all
    of its name, and so does one that nobody verified."""
    found = {}
    for row in rows:
        found.setdefault(row[0]["name"], []).append(row)
    for of in found.values():
        bad = [row for row in of if "real_time" not in row[0]] or [row for row in of if row[0].get("verified") is not True]
        yield bad[0] if bad else [entry for row in of for entry in row]


def of_google_benchmark(context, rows):
    """Aggregates, as with --benchmark_report_aggregates_only. A row without times keeps its error."""
    entries = []
    for row in joined(rows):
        first = row[0]
        head = {"run_name": first["name"], "run_type": "aggregate", "threads": 1,
                **{key: first[key] for key in ("verified", "reason") if key in first}}
        if "real_time" not in first:
            entries.append({"name": first["name"], **head, "time_unit": "none", "error_occurred": True,
                            "error_message": first.get("error_message", "")})
            continue
        times = zip(spread([entry["real_time"] for entry in row]), spread([entry.get("cpu_time", 0) for entry in row]))
        entries += [{"name": f"{first['name']}_{name}", **head, "repetitions": len(row), "iterations": len(row),
                     "aggregate_name": name, "aggregate_unit": unit, "real_time": real, "cpu_time": cpu,
                     "time_unit": first["time_unit"]} for (name, unit, real), (_, _, cpu) in times]
    return json.dumps({"context": context, "benchmarks": entries}, indent=1) + "\n"


def of_hyperfine(_, rows):
    """Seconds of each row. One without times is left out: hyperfine knows none. User and system are not known."""
    results = []
    for row in (row for row in joined(rows) if "real_time" in row[0]):
        times = [entry["real_time"] / 1e3 for entry in row]
        results.append({"command": row[0]["name"], "mean": statistics.fmean(times),
                        "stddev": statistics.stdev(times) if len(times) > 1 else None, "median": statistics.median(times),
                        "min": min(times), "max": max(times), "times": times, "exit_codes": [0] * len(times),
                        "parameters": {size: str(value) for size, value in row[0].get("sizes", {}).items()}})
    return json.dumps({"results": results}, indent=1) + "\n"


def of_p3(context, rows):
    """Seconds (so foms="lower") and efficiencies. CUDA and OpenMP by hand are one application, `native_team` say, as Kokkos is
    `portable_team` on both. `app eff`: the least time on that problem over this one; `arch eff`: share of the measured ceiling,
    not clipped. What did not run or was wrong has no `fom` and efficiency 0."""
    where = platform(context)
    entries = entries_of(map(record.measured, rows))
    table = efficiencies([types.SimpleNamespace(platform=where, entries=entries)])
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["date", "fom", "application", "problem", "platform", "app eff", "arch eff"])
    for entry in entries:
        name, application = problem(entry), application_of(entry)
        seconds = entry["ms"] / 1e3 if "ms" in entry else ""
        remarks = "" if entry.get("verified") or not seconds else " (not verified)"
        remarks += " (Kokkos tool)" if entry.get("kokkos_tool") else ""
        lines.writerow([context["date"], seconds, application + remarks, name, where, *table[name][where][application]])
    return text.getvalue()


FORMATS = {"google-benchmark": of_google_benchmark, "hyperfine": of_hyperfine, "p3": of_p3}


def main():
    parser = argparse.ArgumentParser(prog="ado export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=FORMATS)
    parser.add_argument("record", type=pathlib.Path, metavar="FILE.json", help="what --json wrote, or .json.gz")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", help="default: the screen")
    arguments = parser.parse_args()
    try:
        context, rows = record.load_rows(arguments.record)
    except RecordError as error:
        refuse(error)
    text = FORMATS[arguments.format](context, rows)
    if not arguments.output:
        sys.stdout.write(text)
        return
    if arguments.output.exists() and arguments.output.samefile(arguments.record):
        refuse(f"{arguments.output}: is the record; name another file with -o")
    try:
        write_whole(arguments.output, text)
    except OSError as error:
        refuse(f"{arguments.output}: cannot be written: {error.strerror}; name another place")


if __name__ == "__main__":
    main()
