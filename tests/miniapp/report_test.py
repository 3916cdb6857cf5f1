# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of ./ado report: its figures, what it says loudly, and that nothing in a result file becomes HTML.

usage: report_test.py   (python3 -m unittest finds it too)
"""
import argparse
import contextlib
import copy
import gzip
import html.parser
import io
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import figures  # noqa: E402
import report  # noqa: E402
import svg  # noqa: E402

HOSTILE = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp;"


def entry(name, seconds, **more):
    """One repetition of `name`, algorithm/model_variant/sizes/type."""
    algorithm, application = name.split("/")[:2]
    model, variant = application.split("_", 1)
    kind = name.rpartition("type:")[2]
    result = {"name": name, "algorithm": algorithm, "model": model, "variant": variant, "type": kind, "verified": True,
              "bytes": 4e9, "flops": 2e9, "share_of_ceiling": 0.5, "repetitions": 1}
    if seconds is None:
        result.update(error_occurred=True, verified=False, error_message="WRONG: [3] is off")
    else:
        result.update(real_time=seconds * 1e3, time_unit="ms", first_quartile_seconds=seconds, third_quartile_seconds=seconds)
    return {**result, **more}


def document(entries, **context):
    ceilings = {"read_bytes_per_second": 4e12, "write_bytes_per_second": 3e12, "copy_bytes_per_second": 4e12,
                "f32_flops": 5e13, "f64_flops": 3e13, "launch_seconds": 4e-6}
    return {"context": {"ado_version": "ado 0", "backend": "cuda", "device": "GPU A", "library_build_type": "release",
                        "ceilings": ceilings, **context}, "benchmarks": entries}


class Tags(html.parser.HTMLParser):
    """Counts elements, and fails where they do not nest."""

    VOID = {"meta", "br", "img", "link"}

    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.words = [], {}, []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.words += [value for _, value in attrs if value]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        self.words.append(data)


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def save(self, name, contents):
        self.path(name).write_text(contents if isinstance(contents, str) else json.dumps(contents))
        return self.path(name)

    def report(self, *arguments, fails=False, status=None):
        done = subprocess.run(["sh", ROOT / "ado", "report", *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode != 0, fails, done.stderr)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr if fails else done.stdout

    def page(self, *files):
        self.report(*files, "-o", self.path("page.html"))
        return self.path("page.html").read_text()

    def test_a_page_needs_nothing_else_and_nests(self):
        results = [ROOT / "benchmarks/results" / name for name in ("h200_classic.json.gz", "xeon16.json.gz")]
        text = self.page(*results)
        tags = Tags(text)
        self.assertGreaterEqual(tags.count["svg"], 9)
        self.assertEqual(re.findall(r"(?:https?:)?//(?!www\.w3\.org/2000/svg)[\w.]+", text), [])
        self.assertFalse({"link", "img", "iframe"} & tags.count.keys())
        self.assertEqual(tags.count["script"], 1, "which sorts tables")
        self.assertIn("NVIDIA H200", text)

    def test_what_a_file_says_is_never_html(self):
        cases = [entry("yax/kokkos_team/rows:5/type:f32", 1), entry("yax/cuda_team/rows:5/type:f32", 2),
                 entry("yax/cuda_flat/rows:5/type:f32", None, error_message=HOSTILE)]
        for case in cases:
            for key in ("algorithm", "variant", "type"):
                case[key] += HOSTILE.replace("/", "")
            case["name"] = "{algorithm}/{model}_{variant}/rows:5/type:{type}".format(**case)
        context = {key: HOSTILE for key in ("device", "cpu", "host_name", "date", "compiler", "library_build_type")}
        context.update(device_facts={HOSTILE: HOSTILE}, environment={HOSTILE: HOSTILE}, command_line=[HOSTILE],
                       interrupted_runs=[HOSTILE])
        text = self.page(self.save("r.json", document(cases, **context)), "--title", HOSTILE)
        tags = Tags(text)
        self.assertNotIn("img", tags.count)
        self.assertEqual((tags.count["script"], text.count("<script")), (1, 1), "the page's own, which sorts tables")
        self.assertTrue(any("<script>" in words for words in tags.words), "the words are there, as words")

    def test_pictures_alone_are_well_formed(self):
        self.report(ROOT / "benchmarks/results/h200_small.json.gz", "-o", self.path("p.html"), "--svg", self.path("svg"))
        pictures = list(self.path("svg").iterdir())
        self.assertGreaterEqual(len(pictures), 5)
        for picture in pictures:
            xml.etree.ElementTree.parse(picture)

    def test_what_failed_is_loud(self):
        good = entry("yax/kokkos_team/rows:5/type:f32", 1)
        quiet = self.page(self.save("r.json", document([good])))
        self.assertNotIn('class="loud"', quiet)
        for bad in (entry("yax/cuda_team/rows:5/type:f32", None),
                    entry("yax/cuda_team/rows:5/type:f32", 1, verified=False, reason="not verified, as asked for")):
            text = self.page(self.save("r.json", document([good, bad])))
            self.assertIn('class="loud"', text)
            self.assertIn(bad.get("error_message") or "NOT VERIFIED", text)
        skipped = entry("yax/cuda_team/rows:5/type:f32", None, error_message="has no f64")
        self.assertNotIn('class="loud"', self.page(self.save("r.json", document([good, skipped]))))

    def test_a_wrong_result_in_one_row_is_not_hidden_by_others(self):
        rows = [entry("yax/openmp_team/rows:5/type:f32", seconds, repetition_index=0) for seconds in (1, None, 1)]
        run = figures.Run(self.save("r.json", document([entry("yax/kokkos_team/rows:5/type:f32", 1), *rows])))
        self.assertEqual([e["name"] for e in run.entries if "ms" not in e], ["yax/openmp_team/rows:5/type:f32"])
        self.assertIn("WRONG: [3] is off", self.page(run.path))
        self.assertIn("1 of 2", self.report(run.path))
        rows[1] = entry("yax/openmp_team/rows:5/type:f32", 1, repetition_index=0, verified=False, reason="not verified")
        self.assertIn("NOT VERIFIED", self.report(self.save("r.json", document(rows))))

    def test_figures_of_a_twin_are_of_one_of_its_rows(self):
        rows = [entry("yax/openmp_team/rows:5/type:f32", seconds, repetitions=2, repetition_index=index,
                      share_of_ceiling=0.1 * seconds)
                for seconds in (3, 1, 2) for index in (0, 1)]
        only, = figures.Run(self.save("r.json", document(rows))).entries
        self.assertEqual((only["ms"], only["first_quartile_seconds"], only["share_of_ceiling"]), (2000, 2, 0.2))

    def test_the_headline_is_the_geometric_mean(self):
        cases = [entry("yax/kokkos_team/rows:5/type:f32", 2), entry("yax/cuda_team/rows:5/type:f32", 1),
                 entry("yax/kokkos_team/rows:7/type:f32", 1, portable_over_native=0.125, native="cuda/team"), entry("yax/cuda_team/rows:7/type:f32", 1),
                 entry("yax/kokkos_flat/rows:7/type:f32", 9), entry("yax/cuda_flat/rows:7/type:f32", 1)]
        self.assertIn("0.500  time of Kokkos over native, geometric mean of 2", self.report(self.save("r.json", document(cases))))

    def test_the_headline_is_of_kernels_for_each_backend_where_there_are_some(self):
        cases = [entry("yax/kokkos_plain/rows:5/type:f32", 9), entry("yax/kokkos_team/rows:5/type:f32", 4),
                 entry("yax/kokkos_tuned/rows:5/type:f32", 2), entry("yax/cuda_team/rows:5/type:f32", 1),
                 entry("average/kokkos_tuned/sets:5/type:f32", 1, portable_over_native=0.5, native="cuda/team")]
        found = self.report(self.save("r.json", document(cases)))
        self.assertIn("1.000  time of Kokkos over native, geometric mean of 2", found)
        self.assertNotIn("Pennycook", found, "of one platform")

    def test_pennycook(self):
        one = document([entry("yax/kokkos_team/rows:5/type:f32", 2, share_of_ceiling=0.4),
                        entry("yax/cuda_team/rows:5/type:f32", 1), entry("yax/cuda_team/rows:6/type:f32", 1)])
        two = document([entry("yax/kokkos_team/rows:5/type:f32", 4, share_of_ceiling=0.8),
                        entry("yax/openmp_team/rows:5/type:f32", 4)], device="GPU B")
        runs = [figures.Run(self.save(name, d)) for name, d in (("a.json", one), ("b.json", two))]
        found = {(problem, app): (x, y) for problem, app, x, y in figures.pennycook(runs)}
        x, y = found["yax/rows:5/type:f32", "portable_team"]
        self.assertAlmostEqual(x, 2 / (1 / 0.5 + 1 / 1.0))
        self.assertAlmostEqual(y, 2 / (1 / 0.4 + 1 / 0.8))
        self.assertEqual(found["yax/rows:5/type:f32", "native_team"][0], 1, "CUDA and OpenMP twins are one application")
        self.assertNotIn(("yax/rows:6/type:f32", "native_team"), found)
        self.assertIn("GPU A; GPU B", self.report(self.path("a.json"), self.path("b.json")))

    def test_a_cpu_and_a_gpu_are_joined_at_the_same_sizes(self):
        """What --sizes small makes of transpose on both; Kokkos takes 1.25 times as long on the GPU, 2 times on the CPU."""
        case = "rows:4992/cols:4992/type:i32"
        gpu = document([entry(f"transpose/kokkos_team/{case}", 1.25, share_of_ceiling=0.8),
                        entry(f"transpose/cuda_team/{case}", 1, share_of_ceiling=1.0)])
        cpu = [entry(f"transpose/kokkos_team/{case}", 40, share_of_ceiling=0.3),
               entry(f"transpose/openmp_team/{case}", 20, share_of_ceiling=0.6)]
        host = {"backend": "openmp", "device": "OpenMP, 8 threads", "cpu": "CPU B"}
        files = self.save("gpu.json", gpu), self.save("cpu.json", document(cpu, **host))
        found = {app: (x, y) for _, app, x, y in figures.pennycook([figures.Run(file) for file in files])}
        self.assertEqual(set(found), {"portable_team", "native_team"})
        self.assertAlmostEqual(found["portable_team"][0], 2 / (1.25 + 2))
        self.assertAlmostEqual(found["portable_team"][1], 2 / (1 / 0.8 + 1 / 0.3))
        self.assertAlmostEqual(found["native_team"][0], 1)
        self.assertAlmostEqual(found["native_team"][1], 2 / (1 / 1.0 + 1 / 0.6))
        said = self.report(*files)
        self.assertIn("0.615          0.436  portable_team, transpose", said)
        self.assertIn("1.000          0.750  native_team, transpose", said)
        self.assertIn("Pennycook's metric over 2 platforms, application: native_team, of 1", said)
        self.assertIn("OpenMP, 8 threads", said)
        others = [dict(e, name=e["name"].replace("4992", "4096")) for e in cpu]
        said = self.report(files[0], self.save("other.json", document(others, **host)))
        self.assertIn("no problem of the same sizes was measured on all of them; --sizes small", said)

    def ways(self, name, backend, ratios, hand, rows=5, **more):
        """A record of pairs with by hand, whose rows take longer and longer. A ratio of None is a wrong result."""
        case, by_hand, entries = f"rows:{rows}/type:f32", backend, []
        for drift, (way, ratio) in enumerate(ratios.items()):
            pair = {"native": f"{by_hand}/team", "portable_over_native": ratio} if ratio else {}
            entries += [entry(f"yax/kokkos_{way}/{case}", ratio and hand * ratio * 2**drift, **pair, **more.get(way, {})),
                        entry(f"yax/{by_hand}_team/{case}", hand * 2**drift, repetition_index=0)]
        return self.save(name, document(entries, backend=backend, device=f"{backend} device", cpu="CPU"))

    def test_a_navigation_chart_is_of_a_cpu_and_a_gpu(self):
        lines = {"plain": {"kernel_lines": 40, "kernel_lines_of_one_backend": 0},
                 "team": {"kernel_lines": 200, "kernel_lines_of_one_backend": 10}}
        gpu = self.ways("gpu.json", "cuda", {"plain": 4, "team": 1.25, "tuned": 1}, 1e-3, **lines)
        cpu = self.ways("cpu.json", "openmp", {"plain": 2, "team": 1, "tuned": 0.8}, 7e-3)
        problems, chart = figures.navigation([figures.Run(gpu), figures.Run(cpu)])
        self.assertEqual(problems, "1 problem")
        found = {way: (round(dot["phi"], 6), dot["convergence"]) for way, dot in chart.items()}
        self.assertEqual(found, {"plain": (round(2 / (4 + 2.5), 6), 1), "team": (0.8, 0.95), "tuned": (1, None),
                                 "by hand": (round(2 / (1 + 1.25), 6), 0)})
        text = self.page(gpu, cpu)
        self.assertEqual(Tags(text).count["circle"], len(re.findall("<circle", text)))
        for words in ("plain 0.308", "team 0.800", "by hand 0.889", "no line counts in the records, so no dot:", "tuned (Φ 1.000)"):
            self.assertIn(f">{words}</text>", text)
        self.assertIn('<figure id="navigation">', text)
        other = self.ways("other.json", "openmp", {"plain": 2, "team": None, "tuned": 0.8}, 7e-3, rows=9)
        problems, chart = figures.navigation([figures.Run(gpu), figures.Run(other)])
        self.assertEqual((problems, chart["team"]["phi"]), ("1 problem, each machine at its own sizes", 0))
        for files in ((gpu,), (gpu, self.ways("gpu2.json", "cuda", {"team": 1}, 2e-3))):
            self.assertNotIn('id="navigation"', self.page(*files))
        for count, why in ((201, "fewer than those of one backend"), (0.5, "is no whole number")):
            lines["team"]["kernel_lines_of_one_backend"] = count
            self.assertIn(why, self.report(self.ways("bad.json", "cuda", {"team": 1}, 1, **lines), fails=True))

    def test_the_top_says_what_the_screen_said(self):
        def ratio(way, value, low, high, rows=5, **more):
            ends = {"portable_over_native_low": low, "portable_over_native_high": high} if low else {}
            return entry(f"yax/kokkos_{way}/rows:{rows}/type:f32", 1, portable_over_native=value, native="cuda/team", **ends, **more)

        cases = [ratio("plain", 4, 2, 8), ratio("plain", 1, 0.5, 2, rows=7), ratio("team", 1.25, 0.95, 1.5), ratio("tuned", 1.2, 0, 0)]
        load = "the machine was not idle: load average 9.0 before the run"
        path = self.save("r.json", document(cases, warnings=[load]))
        # The mean of 4 and 1 is 2; its ends are a factor of exp(sqrt(2) log(2) / 2) away.
        for text in self.report(path), self.page(path):
            self.assertIn("2.00 times the best by hand (1.225 to 3.27)", text)
            self.assertIn("undecided, 0.950 to 1.500 times the best by hand", text)
            self.assertIn("no answer, for runs are too few; try --timeout 30", text)
            self.assertIn("warning: " + load, text)
            self.assertNotIn("geometric mean of 4", text)
        picture = self.page(path).split('<figure id="0_ratios">')[1].split("</figure>")[0]
        for told in ("kokkos_plain: 4, 2 to 8", "kokkos_team: 1.25, 0.95 to 1.5", "kokkos_tuned: 1.2, no interval"):
            self.assertIn(told, picture)
        self.assertNotIn("<h2>Pennycook", self.page(path), "of one platform")
        shared = ratio("team", 3, 2.9, 3.1, rows=9, shared_kernel="sum.hpp")
        self.assertIn("undecided, 0.950", self.report(self.save("r.json", document([*cases, shared]))), "one kernel is left out")
        wrong = ratio("plain", 9, 8, 10, rows=9, verified=False, reason="not verified")
        self.assertIn("2.00 times", self.report(self.save("r.json", document([*cases, wrong]))))
        noisy = ratio("team", 1.1, 0.1, 10)
        self.assertIn("too noisy", self.report(self.save("r.json", document([cases[0], noisy]))))
        self.assertIn("1.250  time of Kokkos over native", self.report(self.save("r.json", document(cases[2:3]))), "one way is no answer")

    def test_an_interval_without_end_has_no_figures(self):
        ends = {"native": "cuda/team", "portable_over_native": 1.2, "portable_over_native_low": 1e-4, "portable_over_native_high": 1401}
        text = self.page(self.save("r.json", document([entry("yax/kokkos_team/rows:5/type:f32", 1, **ends)])))
        self.assertIn("1.200 (too noisy)", text)
        self.assertNotIn("1401", text)
        self.assertIn("kokkos_team: 1.2, no interval", text)

    def test_what_is_no_result_file_is_refused(self):
        broken = entry("yax/kokkos_team/rows:5/type:f32", 1)
        for contents in ("", "{}", "[]", "nonsense", {"context": {}, "benchmarks": []},
                         document([{**broken, "bytes": "many"}]), document([{**broken, "real_time": -1}]), document([{}])):
            self.assertIn("r.json: is ", self.report(self.save("r.json", contents), fails=True))
        for contents, why in (("", "is empty"), ("nonsense", "is not JSON: Expecting value: line 1"),
                              ("{}", "is JSON, but not what --json writes: 'context' is missing"),
                              (document([{}]), "is JSON, but not what --json writes: 'name' is missing")):
            self.assertIn(f"r.json: {why}", self.report(self.save("r.json", contents), fails=True))
        good = self.save("r.json", document([broken]))
        self.report(good, "-o", good, fails=True)
        self.assertEqual(json.loads(good.read_text())["benchmarks"], [broken])


    def test_a_file_that_anybody_may_have_written_makes_a_page_or_is_refused(self):
        """Each value of a file in turn is another, or missing."""
        cases = [entry(f"yax/{app}/rows:{rows}/type:f32", seconds, limiter_estimated="memory", speedup=2, speedup_low=1,
                       speedup_high=3, portable_over_native=1, portable_over_native_low=1, portable_over_native_high=2)
                 for app, rows, seconds in (("kokkos_team", 5, 1), ("cuda_team", 5, 2), ("kokkos_team", 7, 1),
                                            ("kokkos_team", 9, 3), ("cuda_team", 7, None))]
        good = document(cases, date="2026-01-31T12:00:00Z", cpu="c", host_name="h", warnings=["x"], environment={"a": "b"},
                        device_facts={"a": "b"}, command_line=["miniapp"], interrupted_runs=["t"])
        others = [None, True, -1, 0, 1e308, -1e308, "", "\x1b[2J", [], {}, [1], {"a": 1}, math.nan, math.inf, 10**400]

        def places(part, above=()):
            for key in part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ():
                yield (*above, key)
                yield from places(part[key], (*above, key))

        refused = 0
        for number, place in enumerate(places(good)):
            for other in random.Random(number).sample(others, 4) + [self]:
                hostile = copy.deepcopy(good)
                inner = hostile
                for key in place[:-1]:
                    inner = inner[key]
                if other is self:
                    del inner[place[-1]]
                else:
                    inner[place[-1]] = other
                self.save("r.json", hostile)
                out = io.StringIO()
                with self.subTest(place=place, other=str(other)[:20]), contextlib.redirect_stdout(out), \
                        contextlib.redirect_stderr(out):
                    try:
                        report.make(argparse.Namespace(results=[self.path("r.json")], output=None, svg=None, png=None, title="t"))
                    except SystemExit as end:
                        refused += 1
                        self.assertEqual(end.code, 2)
                self.assertNotIn("\x1b", out.getvalue())
        self.assertGreater(refused, 100)

    def test_what_cannot_be_read_or_written_is_said_in_words(self):
        self.path("cut.json.gz").write_bytes(gzip.compress(b"{}")[:-9])
        self.path("bytes.json").write_bytes(b"\xff\xfe\x00")
        for name, why in (("none.json", "cannot be read: No such file or directory"), ("", "cannot be read: Is a directory"),
                          ("cut.json.gz", "is no whole gzip file"), ("bytes.json", "is not JSON")):
            said = self.report(self.path(name), fails=True, status=2)
            self.assertIn(f"{self.path(name)}: {why}", said)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn("name a file that miniapp --json FILE wrote", said)
            self.assertNotRegex(said, r"Error|Errno|\(\d")
        good = self.save("r.json", document([entry("yax/kokkos_team/rows:5/type:f32", 1)]))
        said = self.report(good, "-o", self.path("none/page.html"), fails=True, status=2)
        self.assertRegex(said, r"none/page.html.*: cannot be written: No such file")


class AgainstP3(unittest.TestCase):
    def test_the_metric_is_theirs(self):
        try:
            import pandas
            from p3analysis.metrics import application_efficiency, pp
        except ImportError as error:
            print(f"skipped: report_p3: {error}")
            self.skipTest(str(error))
        source = random.Random(1)
        for _ in range(20):
            apps, platforms = ["kokkos_team", "openmp_flat", "serial_serial"], ["P", "Q", "R"]
            times = {(a, p): source.uniform(0.1, 9) for a in apps for p in platforms}
            if source.random() < 0.5:
                times.pop(source.choice(list(times)))
            with tempfile.TemporaryDirectory() as folder:
                runs = []
                for p in platforms:
                    path = pathlib.Path(folder) / f"{p}.json"
                    path.write_text(json.dumps(document(
                        [entry(f"yax/{a}/rows:5/type:f32", times[a, p]) for a in apps if (a, p) in times], device=p)))
                    runs.append(figures.Run(path))
                found = {app: metric for _, app, metric, _ in figures.pennycook(runs)}
                ours = dict(zip(apps, (found[app] for app in ("portable_team", "native_flat", "serial_serial"))))
            frame = pandas.DataFrame([{"problem": "yax", "application": a, "platform": p, "fom": times.get((a, p))}
                                      for a in apps for p in platforms])
            theirs = pp(application_efficiency(frame, foms="lower")).set_index("application")["app pp"]
            for app in apps:
                self.assertAlmostEqual(ours[app], theirs[app], 12)


if __name__ == "__main__":
    unittest.main()
