# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/releases.py with programs that stand in for builds: one is equal to the first, one takes a fifth longer.
The mini-app itself compares.

usage: releases_test.py MINIAPP
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

MINIAPP = sys.argv[1]
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "releases.py"
# 15 times of 0.3 % noise, drawn by the name of the record, for a kernel and for the one by hand, which no build changes.
FAKE = """#!{python}
import json, random, subprocess, sys
words = sys.argv[1:]
if words[0] == "compare":
    sys.exit(subprocess.run(["{miniapp}", *words]).returncode)
assert words[:2] == ["--reps", "15"], words
record = words[words.index("--json") + 1]
source = random.Random(record.rsplit("/", 1)[-1])
context = dict.fromkeys(("ado_version", "date", "host_name", "cpu", "device", "backend", "ado_commit", "compiler",
                         "compiler_flags", "kokkos_version"), "x")
context["ado_version"] = "ado 1"
entries = []
for variant, ms, more in (("kokkos_plain", {ms}, {{"native": "openmp/team", "portable_over_native": {ms} / 2}}), ("openmp_team", 2, {{}})):
    for _ in range(15):
        entries.append({{"name": "yax/%s/rows:9/cols:5/type:f64" % variant, "real_time": ms * source.gauss(1, 0.003), "time_unit": "ms",
                        "verified": True, **more}})
json.dump({{"context": context, "benchmarks": entries}}, open(record, "w"))
"""


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    builds = []
    for name, ms in (("first", 3), ("equal", 3), ("slower", 3.6)):
        program = folder / name
        program.write_text(FAKE.format(python=sys.executable, miniapp=MINIAPP, ms=ms))
        program.chmod(0o755)
        builds.append(f"{name}={program}")
    records, options = folder / "records", ("--", "--reps", "15")
    records.mkdir()
    (records / "equal_7.json").write_text("a record of an earlier measurement")
    done = run(records, *builds, "--rounds", "6", *options)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in records.glob("*_*.json")) == sorted(f"{b.split('=')[0]}_{n}.json" for b in builds for n in range(6))
    row = re.fullmatch(r"\| yax plain \| 1\.500 \| (\S+) \| (\S+) \(1\.19\d to 1\.20\d\) \|", done.stdout.splitlines()[-1])
    assert row, done.stdout
    assert abs(float(row[1].rstrip("?")) - 1) < 0.01 and abs(float(row[2]) - 1.2) < 0.01, done.stdout
    verdicts = {name: [case["verdict"] for case in cases.values()]
                for name, cases in json.loads((records / "summary.json").read_text())["others"].items()}
    assert verdicts["slower"] == ["slower", "reference"] and verdicts["equal"][0] in ("same", "inconclusive"), verdicts
    assert run(records / "summary.json").stdout == done.stdout, "the table of the summary is another one"

    summary = json.loads((records / "summary.json").read_text())
    (folder / "alone.json").write_text(json.dumps({**summary, "first": {}}))  # of --model kokkos
    assert "| yax plain | - | " in run(folder / "alone.json").stdout

    done = run(records, *builds, "--rounds", "4", *options)
    assert done.returncode == 1 and "--rounds 4" in done.stderr, done.stderr
    done = run(records, builds[0], f"broken={sys.executable}", *options)
    assert done.returncode == 1 and "wrote no record" in done.stderr, done.stderr
print("a slower build is told, an equal one is not")
