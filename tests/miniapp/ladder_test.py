#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/ladder.sh keeps the records that it has, and benchmarks/ladder.py makes tables of them:
ladder_test.py PROGRAM"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The mini-app at small sizes, which notes each run, and does not do transposes where it may not.
PROGRAM = """#!/bin/sh
echo "$2" >>ran
case $2 in
  average*) set -- "$@" -N 8 -L 8 -M 8 ;;
  transpose) [ -e may_transpose ] || exit 1; set -- "$@" --rows 32 --cols 32 ;;
esac
exec '{program}' "$@"
"""
PAGE = """# average_mv
<!-- table average_mv NAME_cpu.json -->
<!-- end -->

## `serial`

## `flat`

## `team`
"""


class Ladder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        small = self.folder / "small"
        small.write_text(PROGRAM.format(program=pathlib.Path(sys.argv[1]).resolve()))
        small.chmod(0o755)

    def run_it(self, *command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True).returncode

    def measure(self, *algorithms):
        (self.folder / "ran").write_text("")
        status = self.run_it(ROOT / "benchmarks/ladder.sh", "./small", ".", "NAME", "cpu", *algorithms)
        joined = json.loads((self.folder / "NAME_cpu.json").read_text())
        return status, (self.folder / "ran").read_text().split(), {e["algorithm"] for e in joined["benchmarks"]}

    def test_a_run_that_is_cut_off_keeps_what_it_has(self):
        self.assertEqual(self.measure("average_mv", "transpose"), (1, ["average_mv", "transpose"], {"average_mv"}))
        (self.folder / "may_transpose").touch()
        self.assertEqual(self.measure("average_mv", "transpose"), (0, ["transpose"], {"average_mv", "transpose"}))

    def test_a_table_has_a_row_for_each_model_and_no_empty_cell(self):
        self.measure("average_mv")
        page = self.folder / "page.md"
        page.write_text(PAGE)
        check = ROOT / "benchmarks/ladder.py", "--check", page
        self.assertEqual(self.run_it(*check), 1)
        self.assertEqual(self.run_it(ROOT / "benchmarks/ladder.py", page), 0)
        self.assertEqual(self.run_it(*check), 0)
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", page.read_text(), re.M)
        self.assertEqual(rows, [("serial", "serial"), ("flat", "Kokkos"), ("flat", "OpenMP"), ("team", "Kokkos"),
                                ("team", "OpenMP")])
        self.assertNotRegex(page.read_text(), r"\| *\|")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
