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

from stand_in import write_stand_in

MINIAPP = sys.argv[1]
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "releases.py"
# 15 times of 0.3 % noise, drawn by the name of the record, for a kernel and for the one by hand, which no build changes.
TIMES = """
assert words[:2] == ["--reps", "15"], words
source = random.Random(pathlib.Path(value["--json"]).name)
for _ in range(15):
    add("yax/kokkos_plain/rows:9/cols:5/type:f64", {ms} * source.gauss(1, 0.003), native="openmp/team", portable_over_native={ms} / 2)
for _ in range(15):
    add("yax/openmp_team/rows:9/cols:5/type:f64", 2 * source.gauss(1, 0.003))
"""


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    builds = []
    for name, ms in (("first", 3), ("equal", 3), ("slower", 3.6)):
        program = folder / name
        write_stand_in(program, MINIAPP, TIMES.format(ms=ms))
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
    alone = run(folder / "alone.json").stdout
    assert alone.startswith("| kernel | first, ms | equal | slower |") and re.search(r"\| yax plain \| (2\.99|3\.00)\d ", alone), alone

    done = run(records, *builds, "--rounds", "4", *options)
    assert done.returncode == 1 and "--rounds 4" in done.stderr, done.stderr
    done = run(records, builds[0], f"broken={sys.executable}", *options)
    assert done.returncode == 1 and "wrote no record" in done.stderr, done.stderr
print("a slower build is told, an equal one is not")
