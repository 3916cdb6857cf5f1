# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that stands in for the mini-app: it lets that compare, and otherwise writes a record of made times."""
import sys

PROGRAM = """#!{python}
import json, pathlib, random, subprocess, sys
words = sys.argv[1:]
if words[0] == "compare":
    sys.exit(subprocess.run(["{miniapp}", *words]).returncode)
value, entries = dict(zip(words[::2], words[1::2])), []

def add(name, ms, **more):
    entries.append({{"name": name, "real_time": ms, "time_unit": "ms", "verified": True, **more}})

{times}
context = dict.fromkeys(("ado_version", "date", "host_name", "cpu", "device", "backend", "ado_commit", "compiler",
                         "compiler_flags", "kokkos_version"), "x")
context["ado_version"] = "ado 1"
json.dump({{"context": context, "benchmarks": entries}}, open(value["--json"], "w"))
"""


def write_stand_in(path, miniapp, times):
    """`times`: Python that calls add() for each time, from the options in `value`."""
    path.write_text(PROGRAM.format(python=sys.executable, miniapp=miniapp, times=times))
    path.chmod(0o755)
