#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/ways.py shows the lines of kernels where records have them."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = json.loads((ROOT / "tests/data/record.json").read_text())


def table_of(record):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "r.json"
        path.write_text(json.dumps(record))
        return subprocess.run([sys.executable, ROOT / "benchmarks/ways.py", path], check=True, capture_output=True, text=True).stdout


with_lines = table_of(RECORD)
assert "\n| lines a kernel |  | 373 |  |\n| of these for one backend |  | 23 % |  |\n" in with_lines, with_lines
without = copy.deepcopy(RECORD)
for entry in without["benchmarks"]:
    for key in ("kernel_lines", "kernel_lines_of_one_backend"):
        entry.pop(key, None)
assert table_of(without) == "\n".join(line for line in with_lines.splitlines() if "kernel" not in line and "these" not in line) + "\n"
