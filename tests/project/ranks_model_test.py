#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/ranks_model.py beside what was measured on two and four GPUs, beside SimGrid where that is installed,
and beside docs/scale.md and docs/lab/scale-model.md.

usage: ranks_model_test.py [TEST...]
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "benchmarks"))
import ranks_model as model  # noqa: E402

PAGE = (ROOT / "docs/lab/scale-model.md").read_text()
PAGES = (ROOT / "docs/scale.md").read_text() + PAGE


def cells(table):
    """Rows of a table in Markdown, without the two of its head."""
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.strip().splitlines()[2:]]


class RanksModel(unittest.TestCase):
    def expect_close(self, rows, most):
        for messages, ranks, group, said, seen, _ in rows:
            size, unit = re.search(r"(\d+) (KiB|MiB)", messages).groups()
            size = int(size) * {"KiB": 2**10, "MiB": 2**20}[unit]
            time = model.gather(size, int(ranks)) if "gather" in messages else \
                model.all_to_all(size, int(ranks), int(group))
            self.assertEqual(f"{1e3 * time:.4g}", said, messages)
            self.assertLess(abs(float(said) / float(seen) - 1), most, f"{messages}, {ranks} ranks")

    def test_two_gpus(self):
        for way, said, measured in model.two_gpus():
            self.assertLess(abs(said / measured - 1), 0.05, way)

    def test_one_host(self):
        """In time, as far as it predicts at all: the model of one GPU is another day's."""
        for what, of, one, strong, weak in model.of_one_host():
            for p, times in zip((2, 4), zip(strong, weak)):
                for more, ms in zip((1, p), times):
                    self.assertLess(abs(of(p, more) / of(1, 1) * one / ms - 1), 0.03, f"{what}, {p} GPUs, {more} times the size")

    def test_the_pages_have_the_tables_that_are_printed(self):
        tables = model.tables()
        found = re.findall(r"<!-- made by ranks_model.py (\S+) -->\n(.*?)\n<!-- end -->", PAGES, re.S)
        self.assertEqual([name for name, _ in found], list(tables))
        for name, text in found:
            self.assertEqual(text, tables[name].strip(), name)

    def test_the_page_has_what_was_simulated_beside_the_model(self):
        rows = cells(re.search(r"<!-- simulated -->\n(.*?)\n<!-- end -->", PAGE, re.S)[1])
        self.assertGreater(len(rows), 10)
        self.expect_close(rows, 0.04)

    @unittest.skipUnless(shutil.which("smpirun"), "no SimGrid")
    def test_a_simulation(self):
        done = subprocess.run([sys.executable, ROOT / "benchmarks/ranks_model/simulate.py", "16"], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_close(cells(done.stdout), 0.04)

    def test_nothing_is_faster_than_its_memory(self):
        for ranks in model.RANKS:
            for group in (1, model.square_group(ranks)):
                least = 2 * model.GB4 / model.COPY
                self.assertGreaterEqual(model.transpose(model.GB4, ranks, group), 0.999 * least, (ranks, group))
            self.assertGreaterEqual(model.yax(32768, ranks) * ranks, 32768**2 * 8 / model.READ_YAX, ranks)


if __name__ == "__main__":
    unittest.main()
