# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `ado export` makes of a record of the mini-app: the same times, in the words of other programs.

usage: export_test.py MINIAPP
"""
import csv
import io
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

EXPORT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "export.py"


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.record = cls.folder / "run.json"
        # 3: the larger size does not fit the memory. The native variant stands beside both portable ones.
        run = [PROGRAM, "--algorithm", "yax", "--variant", "plain,team,serial", "--sweep", "rows=67,2^36", "--cols", "41", "--type",
               "f32", "--reps", "9", "--json", cls.record]
        done = subprocess.run(run, capture_output=True, text=True)
        assert done.returncode == 3, done.stdout + done.stderr
        cls.document = json.loads(cls.record.read_text())
        cls.times = {}
        for entry in cls.document["benchmarks"]:
            cls.times.setdefault(entry["name"], []).extend([entry["real_time"]] if "real_time" in entry else [])
        assert any(len(times) > 9 for times in cls.times.values()), "one row has no name twice"

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def export(self, *arguments, status=0):
        done = subprocess.run([sys.executable, EXPORT, *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr if status else done.stdout

    def test_p3_has_a_line_for_each_problem_and_application(self):
        lines = list(csv.DictReader(self.export("p3", self.record).splitlines()))
        found = {(line["application"], line["problem"]): line for line in lines}
        self.assertEqual(len(found), len(lines), "an application stands twice")
        self.assertEqual({application for application, _ in found}, {"portable_plain", "portable_team", "native_team", "serial_serial"})
        problems = {problem for _, problem in found}
        self.assertEqual(len(problems), 2)
        for problem in problems:
            of = {application: line for (application, where), line in found.items() if where == problem}
            if "rows:67" not in problem:
                self.assertEqual({(line["fom"], line["app eff"], line["arch eff"]) for line in of.values()}, {("", "0", "0")})
                continue
            times = {application: float(line["fom"]) for application, line in of.items()}
            serial = next(times for name, times in self.times.items() if "serial_serial" in name and times)
            self.assertAlmostEqual(times["serial_serial"], statistics.median(serial) / 1e3, delta=1e-9)
            for application, line in of.items():
                self.assertAlmostEqual(float(line["app eff"]), min(times.values()) / times[application], places=9)
                self.assertGreater(float(line["arch eff"]), 0)
                self.assertEqual(line["date"], self.document["context"]["date"])

    def test_p3_is_what_their_library_reads(self):
        try:
            import pandas
            from p3analysis.metrics import application_efficiency, pp
        except ImportError as error:
            self.skipTest(f"p3: {error}")
        frame = pandas.read_csv(io.StringIO(self.export("p3", self.record)))
        frame = frame[frame["problem"].str.contains("rows:67/")]
        ours = frame.set_index("application")["app eff"]
        for metric, column in ((application_efficiency(frame, foms="lower"), "app eff"), (pp(frame.drop(columns="arch eff")), "app pp")):
            for application, efficiency in metric.set_index("application")[column].items():
                self.assertAlmostEqual(efficiency, ours[application], places=12)

    def test_google_benchmark_has_a_line_for_each_row_and_statistic(self):
        found = json.loads(self.export("google-benchmark", self.record))
        self.assertEqual(found["context"], self.document["context"])
        of = {entry["name"]: entry for entry in found["benchmarks"]}
        self.assertEqual(len(of), len(found["benchmarks"]), "a name stands twice")
        for name, times in self.times.items():
            if not times:
                self.assertTrue(of[name]["error_occurred"])
                self.assertIn("out of memory", of[name]["error_message"])
                continue
            mean, deviation = statistics.fmean(times), statistics.stdev(times)
            for statistic, value in (("mean", mean), ("median", statistics.median(times)), ("stddev", deviation),
                                     ("cv", deviation / mean)):
                entry = of[f"{name}_{statistic}"]
                self.assertAlmostEqual(entry["real_time"], value, delta=1e-9 * value)
                self.assertEqual((entry["run_type"], entry["run_name"], entry["aggregate_name"], entry["repetitions"]),
                                 ("aggregate", name, statistic, len(times)))
                self.assertEqual(entry["aggregate_unit"], "percentage" if statistic == "cv" else "time")
                self.assertEqual(entry["time_unit"], "ms")

    def test_hyperfine_has_seconds_and_sizes(self):
        results = json.loads(self.export("hyperfine", self.record))["results"]
        self.assertEqual({result["command"] for result in results}, {name for name, times in self.times.items() if times})
        for result in results:
            times = self.times[result["command"]]
            self.assertEqual(result["times"], [time / 1e3 for time in times])
            self.assertAlmostEqual(result["median"], statistics.median(times) / 1e3, delta=1e-12)
            self.assertEqual((result["min"], result["max"]), (min(times) / 1e3, max(times) / 1e3))
            self.assertEqual(result["parameters"], {"rows": "67", "cols": "41"})

    def test_one_repetition_has_no_spread(self):
        one = self.folder / "one.json"
        subprocess.run([PROGRAM, "--algorithm", "yax", "--variant", "serial", "--rows", "67", "--cols", "41", "--type", "f32",
                        "--reps", "1", "--json", one], check=True, capture_output=True)
        names = [entry["aggregate_name"] for entry in json.loads(self.export("google-benchmark", one))["benchmarks"]]
        self.assertEqual(names, ["mean", "median"])
        self.assertIsNone(json.loads(self.export("hyperfine", one))["results"][0]["stddev"])

    def test_a_file_is_written_whole_and_the_record_is_kept(self):
        written = self.folder / "written.json"
        self.assertEqual(self.export("hyperfine", self.record, "-o", written), "")
        self.assertEqual(written.read_text(), self.export("hyperfine", self.record))
        before = self.record.read_bytes()
        self.assertIn("run.json: is the record; name another file", self.export("hyperfine", self.record, "-o", self.record, status=1))
        self.assertEqual(self.record.read_bytes(), before)
        self.assertIn("cannot be written", self.export("hyperfine", self.record, "-o", self.folder / "none" / "x", status=1))

    def test_what_failed_in_one_row_is_not_exported_as_right(self):
        document = json.loads(self.record.read_text())
        name = next(name for name, times in self.times.items() if len(times) > 9)
        last = [entry for entry in document["benchmarks"] if entry["name"] == name and entry["repetition_index"] == 0][-1]
        place = document["benchmarks"].index(last)
        failed = {key: last[key] for key in ("name", "run_name", "algorithm", "model", "variant", "type", "sizes", "threads", "cold_cache",
                                            "kokkos_tool")}
        failed |= {"verified": False, "error_occurred": True, "error_message": "WRONG: [3]", "time_unit": "none", "run_type": "aggregate"}
        document["benchmarks"][place : place + 9] = [failed]
        for entry in document["benchmarks"]:
            for key in [key for key in entry if key.startswith("portable_over_native") or key == "native"]:
                del entry[key]
        wrong = self.folder / "wrong.json"
        wrong.write_text(json.dumps(document))
        of = [e for e in json.loads(self.export("google-benchmark", wrong))["benchmarks"] if e["run_name"] == name]
        self.assertEqual([(e["name"], e.get("error_message"), e["verified"]) for e in of], [(name, "WRONG: [3]", False)])
        self.assertNotIn(name, [r["command"] for r in json.loads(self.export("hyperfine", wrong))["results"]])
        lines = [line for line in csv.DictReader(self.export("p3", wrong).splitlines()) if "rows:67/" in line["problem"]]
        self.assertEqual([(line["fom"], line["app eff"]) for line in lines if line["application"] == "native_team"], [("", "0")])

    def test_links_and_files_beside_are_kept(self):
        target, link, beside = (self.folder / name for name in ("target.json", "link.json", "link.json.part"))
        target.write_text("old")
        link.symlink_to(target)
        beside.write_text("mine")
        self.export("hyperfine", self.record, "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertIn("results", target.read_text())
        self.assertEqual(beside.read_text(), "mine")
        self.assertIn("cannot be written", self.export("hyperfine", self.record, "-o", self.folder, status=1))
        self.assertEqual([p for p in self.folder.parent.iterdir() if p.name.startswith(self.folder.name + ".")], [])

    def test_a_pipe_is_read(self):
        done = subprocess.run([sys.executable, EXPORT, "hyperfine", "/proc/self/fd/0"], input=self.record.read_text(), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_is_no_record_is_refused(self):
        for contents, why in (("", "is empty"), ("{}", "'context' is missing")):
            bad = self.folder / "bad.json"
            bad.write_text(contents)
            self.assertIn(why, self.export("hyperfine", bad, status=1))
        self.assertIn("invalid choice: 'xml'", self.export("xml", self.record, status=2))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
