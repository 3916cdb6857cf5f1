# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package of python/: frames of stored results and of broken files, comparisons beside `miniapp compare`, figures,
and the notebook of examples/digits.

usage: ado_results_test.py MINIAPP   (under pytest: ADO_MINIAPP)
"""
import gzip
import importlib.util
import json
import math
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


def plain(path):
    """The text of a compressed file."""
    return gzip.decompress(path.read_bytes()).decode()


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def save(self, name, change=lambda document: None, source="epyc2.json.gz"):
        document = json.loads(plain(RESULTS / source))
        change(document)
        (self.folder / name).write_text(json.dumps(document))
        return self.folder / name


class Read(WithFolder):
    def test_a_row_is_a_side_with_all_that_the_file_says(self):
        path = RESULTS / "epyc2.json.gz"
        frame = ado.read(path)
        document = json.loads(plain(path))
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
        paths = [path for path in sorted(RESULTS.rglob("*.json*")) if path.parent.name != "releases"]  # summaries
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
                for key in ("native", "portable_over_native", "portable_over_native_low", "portable_over_native_high"):
                    entry.pop(key, None)
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
                (self.save("w.json", lambda d: d["context"].update(ado_commit=None)), "context.ado_commit is no text"),
                (self.save("v.json", lambda d: d["context"].update(record_version=2)), "record_version is 2, this ado reads 1"),
                (self.save("h.json", lambda d: d["benchmarks"].clear()), "holds no results")):
            with self.subTest(path.name), self.assertRaisesRegex(ado.RecordError, f"^{path}: .*{why}.*; (name|run)"):
                ado.read([RESULTS / "epyc1.json.gz", path])
        with self.assertRaisesRegex(ValueError, "no file"):
            ado.read([])


class Summary(WithFolder):
    def test_a_pair_is_one_row_of_the_table(self):
        pairs = ado.summary(ado.read(RESULTS / "epyc2.json.gz")).set_index(["algorithm", "model"])
        team = pairs.loc["yax", "kokkos"]
        self.assertEqual((team.native, team.verdict, team.rows, team.verified), ("openmp/team", "slower", 4096, True))
        ratio = [round(team[key], 4) for key in ("portable_over_native", "low", "high")]
        self.assertEqual(ratio, [1.0421, 1.0241, 1.0613])
        self.assertAlmostEqual(team.portable_ms / team.native_ms, team.native_share / team.portable_share)
        # Another row of the same twin, with times of its own.
        self.assertNotEqual(pairs.loc["yax", "kokkos_kernels"].native_ms, team.native_ms)
        self.assertEqual(pairs.loc["vector_add", "kokkos"].verdict, "inconclusive")

    def test_answers_are_those_of_the_screen(self):
        table = ado.answers(ado.read([RESULTS / "ways/h200.json.gz", RESULTS / "ways/epyc2.json.gz"]))
        said = [words for _, words in table["answer"].items()]
        self.assertEqual(said, ["2.46 times the best by hand (2.45 to 2.47)", "1.013 times the best by hand (1.012 to 1.014)",
                                "1.001 times the best by hand (1.000 to 1.003)", "2.61 times the best by hand (2.37 to 2.84)",
                                "1.114 times the best by hand (1.073 to 1.160)",
                                "undecided, 0.988 to 1.013 times the best by hand"])
        self.assertTrue(ado.answers(ado.read(RESULTS / "epyc1.json.gz")).empty, "before the three ways")

    def test_ways_to_write_kokkos_have_a_column_each(self):
        document = json.loads(plain(RESULTS / "ways/h200.json.gz"))
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
        # Where both run one kernel the ratio has no share in the mean, unless all are such.
        tuned = [e for e in document["benchmarks"] if (e["model"], e["variant"]) == ("kokkos", "tuned")]
        for entry in tuned:
            if entry["algorithm"] == "yax":
                entry["shared_kernel"] = "detail/host_rows.hpp"
        (self.folder / "shared.json").write_text(json.dumps(document))
        table = ado.ways(ado.read(self.folder / "shared.json"))
        others = [value for (_, problem), value in table["tuned"][:5].items() if not problem.startswith("yax")]
        self.assertEqual((len(others), table["tuned"].isna().sum()), (4, 0))
        self.assertAlmostEqual(table["tuned"].iloc[-1], math.prod(others) ** 0.25)
        for entry in tuned:
            entry["shared_kernel"] = "detail/host_rows.hpp"
        (self.folder / "shared.json").write_text(json.dumps(document))
        table = ado.ways(ado.read(self.folder / "shared.json"))
        self.assertAlmostEqual(table["tuned"].iloc[-1], table["tuned"][:5].prod() ** 0.2)

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


class Navigation(WithFolder):
    LINES = {"yax": {"plain": (50, 0), "team": (200, 10)}, "average": {"plain": (150, 0), "team": (100, 20)}}

    def record(self, name, backend, ratios, lines, sizes={"yax": 5, "average": 7}):
        """A record of pairs with by hand, whose rows take longer and longer. A ratio of None is a wrong result; several are those
        of algorithms."""
        by_hand, entries = backend, []
        for algorithm, size in sizes.items():
            for drift, way in enumerate(ratios):
                ratio = ratios[way]
                if isinstance(ratio, dict):
                    if algorithm not in ratio:
                        continue
                    ratio = ratio[algorithm]
                every, of_one = lines.get(algorithm, {}).get(way, (None, None))
                counts = {"kernel_lines": every, "kernel_lines_of_one_backend": of_one} if every else {}
                pair = {"native": f"{by_hand}/team", "portable_over_native": ratio}
                for model, variant, ms, more in (("kokkos", way, ratio and ratio * 2**drift, {**counts, **pair}),
                                                 (by_hand, "team", 2**drift, {"repetition_index": 0})):
                    entries.append({"name": f"{algorithm}/{model}_{variant}/rows:{size}/type:f32", "algorithm": algorithm,
                                    "model": model, "variant": variant, "type": "f32", "verified": True, "share_of_ceiling": 0.5})
                    wrong = {"verified": False, "error_occurred": True, "error_message": "WRONG: [3]"}
                    entries[-1].update({"real_time": ms, "time_unit": "ms", **more} if ms else wrong)
        context = {"ado_version": "0", "backend": backend, "device": f"{backend} device", "cpu": "CPU"}
        (self.folder / name).write_text(json.dumps({"context": context, "benchmarks": entries}))
        return self.folder / name

    def both(self, gpu={"plain": 4, "team": 1.25, "tuned": 1}, cpu={"plain": 2, "team": 1, "tuned": 0.8}, **more):
        return ado.read([self.record("gpu.json", "cuda", gpu, self.LINES), self.record("cpu.json", "openmp", cpu, {}, **more)])

    def test_a_row_is_a_way_with_its_metric_and_convergence(self):
        table = ado.navigation(self.both())
        self.assertEqual(list(table.columns), ["phi", "convergence", "cuda device", "CPU, openmp device"])
        for way, numbers in {"plain": (2 / (4 + 2.5), 1, 0.25, 0.4), "team": (0.8, 0.9, 0.8, 0.8),
                             "tuned": (1, None, 1, 1), "by hand": (2 / (1 + 1.25), 0, 1, 0.8)}.items():
            for number, value in zip(numbers, table.loc[way]):
                self.assertTrue(pandas.isna(value) if number is None else abs(value - number) < 1e-12, (way, number, value))

    def test_problems_have_a_harmonic_mean_and_their_lines_a_sum(self):
        table = ado.navigation(self.both(gpu={"plain": 4, "team": {"yax": 1, "average": 3}, "tuned": 1}))
        self.assertAlmostEqual(table.loc["team", "cuda device"], 2 / (1 + 3))
        self.assertAlmostEqual(table.loc["team", "phi"], 4 / (1 + 3 + 2 / 0.8))
        # A way that has counts in one algorithm alone.
        frame = self.both()
        frame.loc[frame["algorithm"].eq("average") & frame["variant"].eq("team"), "kernel_lines"] = float("nan")
        self.assertEqual(ado.navigation(frame)["convergence"].isna().tolist(), [False, True, True, False])

    def test_what_is_not_supported_has_0(self):
        table = ado.navigation(self.both(cpu={"plain": 2, "team": None, "tuned": 0.8}))
        self.assertEqual((table.loc["team", "phi"], table.loc["team", "CPU, openmp device"]), (0, 0))
        self.assertAlmostEqual(table.loc["team", "cuda device"], 0.8)
        table = ado.navigation(self.both(cpu={"plain": 2, "tuned": 0.8}))
        self.assertEqual(table.loc["team", "phi"], 0)
        frame = self.both()
        frame.loc[frame["variant"].eq("tuned"), "verified"] = False
        self.assertEqual(ado.navigation(frame)["phi"].round(6).tolist(), [round(2 / 6, 6), round(2 / 2.25, 6), 0, 1])

    def test_problems_are_those_of_all_machines(self):
        self.assertEqual(set(ado.p3(self.both())["problem"]), {"yax f32, rows 5", "average f32, rows 7"})
        self.assertEqual(set(ado.p3(self.both(sizes={"yax": 9, "average": 7}))["problem"]),
                         {"yax f32, sizes differ", "average f32, rows 7"})
        self.assertEqual(set(ado.p3(self.both(sizes={"average": 7}))["problem"]), {"average f32, rows 7"})
        both_sizes = self.record("more.json", "openmp", {"plain": 1, "team": 1, "tuned": 1}, {}, {"yax": 6})
        self.both(sizes={"yax": 9, "average": 7})
        frame = ado.read([self.folder / "gpu.json", self.folder / "cpu.json", both_sizes])
        self.assertEqual(set(ado.p3(frame)["problem"]), {"average f32, rows 7"}, "one of two sizes would be a choice")
        frame = self.both(gpu={"plain": {"yax": 4}, "team": 1}, cpu={"plain": {"yax": 2}, "team": 1})
        self.assertEqual(set(ado.p3(frame)["problem"]), {"yax f32, rows 5"}, "all dots are of the same problems")
        with self.assertRaisesRegex(ValueError, "no problem was measured on all machines; give the mini-app the same --sizes"):
            ado.navigation(self.both(sizes={"transpose": 5}))
        frame = self.both()
        with self.assertRaisesRegex(ValueError, "holds one machine, cuda device; read the records of a CPU and a GPU"):
            ado.navigation(frame[frame.machine == "cuda device"])
        # Of two files of a machine the later counts.
        later = self.record("later.json", "cuda", {"plain": 8, "team": 1.25, "tuned": 1}, self.LINES)
        table = ado.navigation(ado.read([self.folder / "gpu.json", self.folder / "cpu.json", later]))
        self.assertAlmostEqual(table.loc["plain", "cuda device"], 1 / 8)

    def test_p3_is_what_their_library_reads(self):
        table = ado.p3(self.both())
        self.assertEqual(list(table.columns), ["fom", "application", "problem", "platform", "app eff", "arch eff", "divergence"])
        row = table[(table.problem == "yax f32, rows 5") & (table.platform == "cuda device")].set_index("application")
        self.assertEqual(row["fom"].round(9).tolist(), [0.008, 0.0025, 0.002, 0.002])  # ratio times the median by hand
        self.assertEqual(row["divergence"].round(9).tolist()[:2] + [row.loc["by hand", "divergence"]], [0, 0.05, 1])
        self.assertTrue(row["arch eff"].eq(0.5).all())
        try:
            from p3analysis.metrics import application_efficiency, pp
            from p3analysis.plot import navchart
        except ImportError as error:
            self.skipTest(str(error))
        frame = self.both()
        for problem, part in table.groupby("problem"):
            theirs = part.merge(application_efficiency(part, foms="lower"), on=["application", "platform"])
            self.assertLess((theirs["app eff_x"] - theirs["app eff_y"]).abs().max(), 1e-12)
            ours = ado.navigation(frame[frame.algorithm == problem.split()[0]])["phi"]
            metric = pp(part).set_index("application")["app pp"]
            self.assertLess((ours - metric[ours.index]).abs().max(), 1e-12)
            drawn = navchart(pp(part), part[["problem", "application", "divergence"]].drop_duplicates().dropna())
            self.assertEqual(len(drawn.get_axes().get_legend_handles_labels()[1]), 3)

    def test_the_chart_has_a_labelled_dot_for_each_way(self):
        ax = ado.navchart(self.both())
        self.addCleanup(matplotlib.pyplot.close, "all")
        self.assertEqual((ax.get_xlim(), ax.get_ylim()), ((0, 1), (0, 1)))
        places = {(round(line.get_xdata()[0], 6), round(line.get_ydata()[0], 6)) for line in ax.lines}
        self.assertEqual(places, {(0, round(2 / 2.25, 6)), (0.9, 0.8), (1, round(2 / 6.5, 6))})
        self.assertEqual([text.get_text() for text in ax.texts], ["by hand 0.889", "team 0.800", "plain 0.308"])
        self.assertIn("so no dot:\ntuned (Φ 1.000)", ax.get_xlabel())

    def test_labels_do_not_overlap(self):
        from ado_results.portability import dots
        chart = {"by hand": (1, 0), "tuned": (0.99, 0.1), "team": (0.98, 0.9), "plain": (0.3, 0.1)}
        chart = {way: dict(zip(("phi", "convergence"), place)) for way, place in chart.items()}
        self.assertEqual([(way, round(height, 9), right) for way, _, _, height, right in dots(chart, 0.05)],
                         [("by hand", 0.94, True), ("tuned", 0.99, True), ("team", 0.98, False), ("plain", 0.3, True)])


class Compare(WithFolder):
    def test_numbers_of_miniapp_compare(self):
        """Those of `miniapp compare epyc2.json epyc1.json`, and where there is a program, all that it prints."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            both = ado.compare(ado.read(RESULTS / "epyc2.json.gz"), ado.read(RESULTS / "epyc1.json.gz")).set_index("name")
        self.assertIn("the machines differ: AMD EPYC, OpenMP, 2 threads before, AMD EPYC, OpenMP, 1 thread",
                      str(said[0].message))
        row = both.loc["yax/vendor_two_call/rows:4096/cols:4096/type:f64"]
        self.assertEqual([f"{row[key]:.4f}" for key in ("ratio", "low", "high")], ["0.9319", "0.8344", "1.0318"])
        self.assertEqual(both.loc["transpose/vendor_omatcopy/rows:5824/cols:5824/type:i32"].why, "before: has no i32")
        before = self.save("before.json")
        self.against_the_program(both, before, self.save("after.json", source="epyc1.json.gz"))

    def test_several_runs_are_samples(self):
        """Seven and five runs: so few that a normal distribution would give another interval. With 30 of each it is used."""
        def scaled(factor):
            def change(document):
                for entry in document["benchmarks"]:
                    for key in ("real_time", "median_seconds", "least_seconds", "first_quartile_seconds", "third_quartile_seconds"):
                        if key in entry:
                            entry[key] *= factor
                    entry.pop("bytes_per_second", None)
            return change
        a = [self.save(f"a{k}.json", scaled(1 + 0.01 * k)) for k in range(7)]
        b = [self.save(f"b{k}.json", scaled(1.1 + 0.013 * k)) for k in range(5)]
        both = ado.compare(ado.read(a), ado.read(b)).set_index("name")
        # What ran in turn was slower by as much as the native variant; what ran alone has its times.
        self.assertEqual(set(both["verdict"].dropna()), {"slower", "same", "reference"})
        self.against_the_program(both, *a, "--with", *b)
        many = [[self.save(f"{side}{k}.json", scaled(factor + 0.001 * (k * k % 31))) for k in range(30)]
                for side, factor in (("a", 1), ("b", 1.02))]
        both = ado.compare(ado.read(many[0]), ado.read(many[1])).set_index("name")
        self.against_the_program(both, *many[0], "--with", *many[1])

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
        frame = ado.read(RESULTS / "epyc2.json.gz")
        other = ado.read(self.save("r.json"))
        first = ado.compare(frame, other[other.algorithm != "yax"]).set_index("name")
        self.assertEqual(first.loc["yax/kokkos_team/rows:4096/cols:4096/type:f64"].why, "not after")
        with self.assertRaisesRegex(ValueError, "before: holds runs of several kinds, machine is .*; select one"):
            ado.compare(ado.read([RESULTS / "epyc2.json.gz", RESULTS / "h200_team.json.gz"]), frame)
        with self.assertRaisesRegex(ValueError, "hold different things, cold_cache and nothing special"):
            ado.compare(frame, frame.assign(cold_cache=True))


class Figures(WithFolder):
    def tearDown(self):
        matplotlib.pyplot.close("all")

    def test_ladder(self):
        frame = ado.read(RESULTS / "epyc2_512.json.gz")
        ax = ado.ladder(frame[frame.algorithm == "transpose"])
        part = frame[(frame.algorithm == "transpose") & (frame.variant == "team") & (frame.side == "native")]
        self.assertGreater(part["share_of_ceiling"].nunique(), 2)
        rungs = [label.get_text() for label in ax.get_yticklabels()]
        times = frame[frame.algorithm == "transpose"].groupby("variant")["ms"].median()
        self.assertEqual(list(times[rungs].dropna()), sorted(times.dropna(), reverse=True), "no climb")
        label = rungs.index("team")
        bar = next(bar for bar in ax.patches if abs(bar.get_y() + bar.get_height() / 2 - (label + 0.2)) < 1e-9)
        self.assertAlmostEqual(bar.get_width(), part["share_of_ceiling"].median())
        with self.assertRaisesRegex(ValueError, "holds . of algorithm: .*; select one"):
            ado.ladder(frame)
        ax = ado.ladder(ado.read(RESULTS / "strides/h200_strides.json.gz"))
        labels = [label.get_text() for label in ax.get_yticklabels()]
        self.assertEqual((labels[0], len(ax.patches)), ("strided, stride 128", 18))
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
        frame = ado.read([RESULTS / "epyc2.json.gz", RESULTS / "h200_team.json.gz"])
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
