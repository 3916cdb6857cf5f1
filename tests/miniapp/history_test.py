# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ado history`: a page of ratios from run to run, of what two runs share."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from report_test import HOSTILE, ROOT, Tags, document, entry

HAND = {"native": "cuda/team"}


def ratio(value):
    return {**HAND, "portable_over_native": value, "portable_over_native_low": value / 1.01, "portable_over_native_high": value * 1.01}


class History(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def save(self, name, day, value, more=(), **context):
        entries = [entry("yax/kokkos_tuned/rows:5/type:f64", value, **ratio(value)), entry("yax/cuda_team/rows:5/type:f64", 1), *more]
        (self.folder / name).write_text(json.dumps(document(entries, date=f"2026-11-{day}T10:00:00Z", ado_commit=f"c{day}", **context)))
        return self.folder / name

    def history(self, *arguments, status=0):
        done = subprocess.run([sys.executable, ROOT / "benchmarks/history.py", *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr if status else done.stdout

    def test_runs_stand_by_date_and_each_has_its_ratio(self):
        files = [self.save("a.json", 29, 1.5), self.save("b.json", 27, 1.125), self.save("c.json", 28, 1.25)]
        self.assertIn("3 runs, 1 problems", self.history(*files))
        page = (self.folder / "history.html").read_text()
        words = Tags(page).words
        places = [next(k for k, word in enumerate(words) if word.startswith(f"tuned over cuda/team, 2026-11-{day}") and word.endswith(value))
                  for day, value in ((27, ": 1.125"), (28, ": 1.25"), (29, ": 1.5"))]
        self.assertEqual(places, sorted(places), "not in the order of the dates")
        rows = [k for k, word in enumerate(words) if word in ("1.125 (1.114 to 1.136)", "1.250 (1.238 to 1.262)", "1.500 (1.485 to 1.515)")]
        self.assertEqual(len(rows), 3)

    def test_another_platform_has_its_own_picture(self):
        files = [self.save(f"{device}{day}.json", day, 1.5, device=device) for device in ("GPU A", "GPU B") for day in (27, 28)]
        self.assertIn("4 runs, 2 problems", self.history(*files, "-o", self.folder / "p.html"))
        self.assertEqual(Tags((self.folder / "p.html").read_text()).count["figure"], 2)

    def test_a_problem_of_one_run_is_left_out(self):
        alone = entry("yax/kokkos_tuned/rows:7/type:f64", 1.5, **ratio(1.5)), entry("yax/cuda_team/rows:7/type:f64", 1)
        self.assertIn("1 problems", self.history(self.save("a.json", 27, 1.5), self.save("b.json", 28, 1.5, alone)))
        self.assertIn("has a ratio in two of the 1 files", self.history(self.folder / "a.json", status=2))

    def test_what_was_wrong_is_said_and_is_on_no_line(self):
        wrong = entry("yax/kokkos_tuned/rows:5/type:f64", 9, **{**ratio(9), "verified": False, "reason": "nobody looked"})
        files = [self.save("a.json", 27, 1.5), self.save("b.json", 28, 1.5)]
        document_of = json.loads(files[1].read_text())
        (self.folder / "c.json").write_text(json.dumps({**document_of, "benchmarks": [wrong, *document_of["benchmarks"][1:]]}))
        self.assertIn("3 runs, 1 problems", self.history(*files, self.folder / "c.json"))
        words = Tags((self.folder / "history.html").read_text()).words
        self.assertIn("Failed or not verified: 1", words)
        self.assertFalse([word for word in words if word.startswith("tuned over") and word.endswith(": 9")])

    def test_another_reference_is_another_line(self):
        other = {"native": "cuda/flat"}
        files = [self.save("a.json", 26, 1.5), self.save("b.json", 27, 1.5)]
        for name, day in (("c.json", 28), ("d.json", 29)):
            document_of = json.loads(files[0].read_text())
            document_of["benchmarks"][0] |= other
            document_of["context"]["date"] = f"2026-11-{day}T10:00:00Z"
            (self.folder / name).write_text(json.dumps(document_of))
        self.history(*files, self.folder / "c.json", self.folder / "d.json")
        page = (self.folder / "history.html").read_text()
        self.assertIn("tuned over cuda/team</text>", page)
        self.assertIn("tuned over cuda/flat</text>", page)

    def test_texts_of_files_are_no_html_and_files_are_kept(self):
        files = [self.save(f"{day}.json", day, 1.5, device=HOSTILE) for day in (27, 28)]
        self.history(*files)
        page = (self.folder / "history.html").read_text()
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<img", page)
        self.assertIn("is a result file", self.history(*files, "-o", files[0], status=2))
        self.assertEqual(json.loads(files[0].read_text())["context"]["device"], HOSTILE)


if __name__ == "__main__":
    unittest.main()
