# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package of python/: frames of stored results and of broken files, comparisons beside `miniapp compare`, figures,
and the notebook of examples/digits.

usage: ado_results_test.py MINIAPP   (under pytest: ADO_MINIAPP)
"""
import gzip
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

MISSING = [module for module in ("matplotlib", "pandas") if importlib.util.find_spec(module) is None]
if MISSING:
    print(f"skipped: ado_results: Python has no {' and no '.join(MISSING)}")
    sys.exit(0)
import matplotlib  # noqa: E402
import pandas  # noqa: E402

matplotlib.use("agg")
ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks/results"
MINIAPP = os.path.abspath(sys.argv.pop(1)) if __name__ == "__main__" and sys.argv[1:] else os.environ.get("ADO_MINIAPP")
sys.path.insert(0, str(ROOT / "python"))
import ado_results as ado  # noqa: E402


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def save(self, name, change=lambda document: None, source="epyc2.json"):
        document = json.loads((RESULTS / source).read_text())
        change(document)
        (self.folder / name).write_text(json.dumps(document))
        return self.folder / name


class Read(WithFolder):
    def test_a_row_is_a_side_with_all_that_the_file_says(self):
        path = RESULTS / "epyc2.json"
        frame = ado.read(path)
        document = json.loads(path.read_text())
        firsts = [e for e in document["benchmarks"] if e.get("repetition_index", 0) == 0]
        self.assertEqual(list(frame["name"]), [e["name"] for e in firsts])
        for (_, row), first in zip(frame.iterrows(), firsts):
            for key, value in first.items():
                if key in frame and key != "bytes_per_second":
                    self.assertEqual(row[key], value, key)
            times = [e["real_time"] for e in document["benchmarks"] if e["name"] == first["name"] and "real_time" in e]
            if "real_time" in first and list(frame["name"]).count(row["name"]) == 1:
                self.assertAlmostEqual(row["ms"], row["median_seconds"] * 1e3)
                self.assertEqual([round(t * 1e3, 9) for t in row["seconds"]], [round(t, 9) for t in times])
        yax = frame[frame.algorithm == "yax"]
        self.assertEqual((set(yax["rows"]), set(yax["cols"]), yax["sets"].notna().any()), ({4096}, {4096}, False))
        self.assertEqual(frame.attrs["context"][str(path)], document["context"])

    def test_several_files_and_compressed_ones(self):
        paths = sorted(RESULTS.rglob("*.json*"))
        frame = ado.read(paths)
        self.assertEqual(list(frame["file"].unique()), list(map(str, paths)))
        self.assertIn("NVIDIA H200, device 0, 132 multiprocessors", set(frame["machine"]))
        self.assertIn("AMD EPYC, OpenMP, 1 thread", set(frame["machine"]))

    def test_what_is_no_record_is_named_with_the_cure(self):
        def first(document):
            return document["benchmarks"][0]

        def rename(document, name):
            words = dict(zip(("algorithm", "model", "variant", "type"), ("yax", "kokkos", "team", "f32")))
            for entry in document["benchmarks"]:
                entry.pop("sizes", None)
                entry.pop("native", None)
                entry.update(words, name=name, run_name=name)
        (self.folder / "cut.json.gz").write_bytes(gzip.compress(b"{}")[:-9])
        (self.folder / "empty.json").write_text("")
        (self.folder / "words.json").write_text("nonsense")
        (self.folder / "deep.json").write_text("[" * 100000)
        for path, why in (
                (self.folder / "none.json", "cannot be read: No such file"),
                (self.folder / "cut.json.gz", "is no whole gzip file"),
                (self.folder / "empty.json", "is empty"), (self.folder / "words.json", "is not JSON"),
                (self.folder / "deep.json", "is JSON, but not what"),
                (self.save("a.json", lambda d: d.pop("context")), "'context' is missing"),
                (self.save("b.json", lambda d: d["context"].pop("ado_version")), "'ado_version' is missing"),
                (self.save("c.json", lambda d: first(d).pop("algorithm")), "'algorithm' is missing"),
                (self.save("d.json", lambda d: first(d).update(bytes="many")), "bytes of average/.* is no number"),
                (self.save("e.json", lambda d: first(d).update(real_time=0)), "is not above 0"),
                (self.save("f.json", lambda d: first(d).update(time_unit="us")), "not in ms"),
                (self.save("g.json", lambda d: rename(d, "yax/kokkos_team/rows:many/type:f32")), "has no sizes"),
                (self.save("h.json", lambda d: d["benchmarks"].clear()), "holds no results")):
            with self.subTest(path.name), self.assertRaisesRegex(ado.RecordError, f"^{path}: .*{why}.*; (name|run)"):
                ado.read([RESULTS / "epyc1.json", path])
        with self.assertRaisesRegex(ValueError, "no file"):
            ado.read([])


class Summary(WithFolder):
    def test_a_pair_is_one_row_of_the_table(self):
        pairs = ado.summary(ado.read(RESULTS / "epyc2.json")).set_index(["algorithm", "model"])
        team = pairs.loc["yax", "kokkos"]
        self.assertEqual((team.native, team.verdict, team.rows, team.verified), ("openmp/team", "slower", 4096, True))
        ratio = [round(team[key], 4) for key in ("portable_over_native", "low", "high")]
        self.assertEqual(ratio, [1.0421, 1.0241, 1.0613])
        self.assertAlmostEqual(team.portable_ms / team.native_ms, team.native_share / team.portable_share)
        # Another row of the same twin, with times of its own.
        self.assertNotEqual(pairs.loc["yax", "kokkos_kernels"].native_ms, team.native_ms)
        self.assertEqual(pairs.loc["vector_add", "kokkos"].verdict, "inconclusive")

    def test_ways_to_write_kokkos_have_a_column_each(self):
        document = json.loads(gzip.decompress((RESULTS / "ways/h200.json.gz").read_bytes()))
        ratios = {(e["algorithm"], e["variant"]): e["portable_over_native"] for e in document["benchmarks"] if "portable_over_native" in e}
        table = ado.ways(ado.read(RESULTS / "ways/h200.json.gz"))
        self.assertEqual(list(table.columns), ["plain", "team", "tuned"])
        self.assertEqual(len(table), 6)
        for (_, problem), row in list(table.iterrows())[:5]:
            self.assertEqual(row.tolist(), [ratios[problem.split()[0], way] for way in table.columns])
        (_, last), means = list(table.iterrows())[-1]
        self.assertEqual((last, round(means["team"], 9)), ("geometric mean", round(table["team"][:5].prod() ** 0.2, 9)))
        # One that is wrong has no figure, and no share in the mean.
        for entry in document["benchmarks"]:
            if (entry["algorithm"], entry["model"], entry["variant"]) == ("yax", "kokkos", "team"):
                entry.update(verified=False, reason="not verified: --skip-verification")
        (self.folder / "wrong.json").write_text(json.dumps(document))
        table = ado.ways(ado.read(self.folder / "wrong.json"))
        self.assertEqual(table["team"].isna().sum(), 1)
        self.assertAlmostEqual(table["team"].iloc[-1], table["team"][:5].prod() ** 0.25)

    def test_failures_stay_in_it(self):
        def fail(document):
            first = document["benchmarks"][0]
            document["benchmarks"] = [e for e in document["benchmarks"] if e["name"] != first["name"]]
            for key in ("real_time", "native", "portable_over_native", "share_of_ceiling"):
                del first[key]
            first.update(error_occurred=True, error_message="WRONG: [3]", verified=False)
            document["benchmarks"].insert(0, first)
        pair = ado.summary(ado.read(self.save("r.json", fail))).iloc[0]
        self.assertEqual((pair.error_message, pair.verified, pair.variant), ("WRONG: [3]", False, "team"))
        self.assertTrue(pair[["portable_ms", "native", "native_ms", "portable_over_native", "verdict"]].isna().all())

    def test_verdicts_are_the_mini_apps(self):
        from ado_results.frames import verdict
        nan = float("nan")
        for ratio, word in (((1.01, 1.001, 2), "slower"), ((1.009, 1.001, 1.02), "inconclusive"),
                            ((0.98, 0.9, 0.999), "faster"), ((1, 0.995, 1.005), "same"), ((2, nan, nan), "inconclusive"),
                            ((nan, nan, nan), None)):
            self.assertEqual(verdict(*ratio), word, ratio)


class Compare(WithFolder):
    def test_numbers_of_miniapp_compare(self):
        """Those of `miniapp compare epyc2.json epyc1.json`, and where there is a program, all that it prints."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            both = ado.compare(ado.read(RESULTS / "epyc2.json"), ado.read(RESULTS / "epyc1.json")).set_index("name")
        self.assertIn("the machines differ: AMD EPYC, OpenMP, 2 threads before, AMD EPYC, OpenMP, 1 thread",
                      str(said[0].message))
        row = both.loc["yax/vendor_two_call/rows:4096/cols:4096/type:f64"]
        self.assertEqual([f"{row[key]:.4f}" for key in ("ratio", "low", "high")], ["0.9319", "0.8344", "1.0318"])
        self.assertEqual(both.loc["transpose/vendor_omatcopy/rows:5824/cols:5824/type:i32"].why, "before: has no i32")
        self.against_the_program(both, RESULTS / "epyc2.json", RESULTS / "epyc1.json")

    def test_several_runs_are_samples(self):
        """Six and four runs: so few that a normal distribution would give another interval."""
        def scaled(factor):
            def change(document):
                for entry in document["benchmarks"]:
                    for key in ("real_time", "median_seconds", "least_seconds", "first_quartile_seconds", "third_quartile_seconds"):
                        if key in entry:
                            entry[key] *= factor
                    entry.pop("bytes_per_second", None)
            return change
        a = [self.save(f"a{k}.json", scaled(1 + 0.01 * k)) for k in range(6)]
        b = [self.save(f"b{k}.json", scaled(1.1 + 0.013 * k)) for k in range(4)]
        both = ado.compare(ado.read(a), ado.read(b)).set_index("name")
        self.assertEqual(set(both["verdict"].dropna()), {"slower"})
        self.against_the_program(both, *a, "--with", *b)

    def against_the_program(self, both, *files):
        if MINIAPP is None:
            return
        text = subprocess.run([MINIAPP, "compare", *files], check=True, capture_output=True, text=True).stdout
        lines = re.findall(r"^(\S+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) to ([\d.]+) +(\w+)$", text, re.MULTILINE)
        self.assertGreater(len(lines), 15)
        self.assertEqual(len(lines), both["ratio"].notna().sum())
        for name, *numbers, word in lines:
            row = both.loc[name]
            forms = {"before_ms": ".5g", "after_ms": ".5g", "ratio": ".4f", "low": ".4f", "high": ".4f", "verdict": ""}
            self.assertEqual([format(row[key], form) for key, form in forms.items()], [*numbers, word], name)

    def test_what_cannot_be_compared_says_why(self):
        frame = ado.read(RESULTS / "epyc2.json")
        other = ado.read(self.save("r.json"))
        first = ado.compare(frame, other[other.algorithm != "yax"]).set_index("name")
        self.assertEqual(first.loc["yax/kokkos_team/rows:4096/cols:4096/type:f64"].why, "not after")
        with self.assertRaisesRegex(ValueError, "before: holds runs of several kinds, machine is .*; select one"):
            ado.compare(ado.read([RESULTS / "epyc2.json", RESULTS / "h200_team.json"]), frame)
        with self.assertRaisesRegex(ValueError, "hold different things, cold_cache and nothing special"):
            ado.compare(frame, frame.assign(cold_cache=True))


class Figures(WithFolder):
    def tearDown(self):
        matplotlib.pyplot.close("all")

    def test_ladder(self):
        frame = ado.read(RESULTS / "epyc2_512.json")
        ax = ado.ladder(frame[frame.algorithm == "transpose"])
        part = frame[(frame.algorithm == "transpose") & (frame.variant == "team") & (frame.side == "native")]
        self.assertGreater(part["share_of_ceiling"].nunique(), 2)
        label = [label.get_text() for label in ax.get_yticklabels()].index("team")
        bar = next(bar for bar in ax.patches if abs(bar.get_y() + bar.get_height() / 2 - (label + 0.2)) < 1e-9)
        self.assertAlmostEqual(bar.get_width(), part["share_of_ceiling"].median())
        with self.assertRaisesRegex(ValueError, "holds . of algorithm: .*; select one"):
            ado.ladder(frame)
        ax = ado.ladder(ado.read(RESULTS / "strides/h200_strides.json.gz"))
        self.assertEqual((ax.get_yticklabels()[3].get_text(), len(ax.patches)), ("strided, stride 8", 18))
        nan = float("nan")
        failed = frame[frame.algorithm == "transpose"].assign(ms=nan, share_of_ceiling=nan, error_message="WRONG")
        self.assertIn("WRONG", [text.get_text() for text in ado.ladder(failed).texts])

    def test_sweep(self):
        if MINIAPP is None:
            self.skipTest("no mini-app")
        subprocess.run([MINIAPP, "--algorithm", "yax", "--variant", "team", "--type", "f64", "--sweep", "rows=64:512:x2",
                        "--cols", "99", "--reps", "9", "--json", self.folder / "sweep.json"], check=True, capture_output=True)
        frame = ado.read(self.folder / "sweep.json")
        ax = ado.sweep(frame, y="portable_over_native", x="rows")
        line = next(line for line in ax.lines if line.get_label() == "team")
        team = frame[frame.model == "kokkos"]
        self.assertEqual(list(line.get_xdata()), list(team["rows"]))
        self.assertEqual(list(line.get_ydata()), list(team["portable_over_native"]))
        self.assertIs(ado.sweep(frame, ax=ax), ax)
        with self.assertRaisesRegex(ValueError, "no speedup over bytes"):
            ado.sweep(frame, y="speedup")

    def test_ratios(self):
        frame = ado.read([RESULTS / "epyc2.json", RESULTS / "h200_team.json"])
        ax = ado.ratios(frame)
        self.assertIn("yax f64 team (epyc2)", [label.get_text() for label in ax.get_yticklabels()])
        drawn = sorted(x for line in ax.lines for x in line.get_xdata() if len(line.get_xdata()) and line.get_marker() == "o")
        self.assertEqual(drawn, sorted(ado.summary(frame)["portable_over_native"]))


@unittest.skipUnless(MINIAPP, "no mini-app is named")
class WithProgram(WithFolder):
    def test_sizes_are_those_of_the_field(self):
        path = self.folder / "run.json"
        subprocess.run([MINIAPP, "--algorithm", "yax,average_mv", "--variant", "team", "--rows", "65", "--cols", "33",
                        "-N", "3", "-L", "5", "-M", "7", "--reps", "3", "--json", path], check=True, stdout=subprocess.DEVNULL)
        entries = json.loads(path.read_text())["benchmarks"]
        fields = {(entry["algorithm"], *size) for entry in entries for size in entry["sizes"].items()}
        frame = ado.read(path)
        self.assertEqual(fields, {(row.algorithm, key, row[key]) for _, row in frame.iterrows()
                                  for key in ("rows", "cols", "sets", "length", "vectors") if row[key] is not pandas.NA})

    def test_the_notebook_runs_from_top_to_bottom(self):
        notebook = json.loads((ROOT / "examples/digits/digits.ipynb").read_text())
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertEqual([cell["outputs"] for cell in cells], [[]] * len(cells))
        code = "\n".join("".join(cell["source"]) for cell in cells)
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "examples/digits", capture_output=True, text=True, env={
            **os.environ, "ADO_MINIAPP": MINIAPP, "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT / "python")})
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
