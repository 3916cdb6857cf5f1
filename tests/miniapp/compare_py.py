# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what --json writes with Google Benchmark's own compare.py, in both of its modes.

usage: compare_py.py MINIAPP FOLDER COMPARE.PY
"""
import json
import pathlib
import subprocess
import sys
import tempfile

program, folder, compare = sys.argv[1:]
lacking = []
try:
    import scipy  # noqa: F401 what compare.py needs
except ImportError:
    lacking.append("this Python has no scipy")
if not pathlib.Path(compare).is_file():
    lacking.append("no compare.py found")
if lacking:
    print("skipped: compare_py:", " and ".join(lacking))
    sys.exit(0)

RUN = [program, "--algorithm", "yax,transpose", "--sweep", "rows=67,2^36", "--cols", "41", "--variant", "team,serial",
       "--type", "f32", "--reps", "9"]


def entries(file):
    return json.loads(file.read_text())["benchmarks"]


def reports(folder, *arguments):
    """What compare.py found, by name; it must end well and say something of each."""
    dump = folder / "dump.json"
    done = subprocess.run([sys.executable, compare, "--no-color", "-d", dump, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = {report["name"]: report for report in json.loads(dump.read_text())}
    assert "OVERALL_GEOMEAN" in found, found.keys()
    for name in found:
        assert name in done.stdout, name
    return {name: report for name, report in found.items() if name != "OVERALL_GEOMEAN"}


def times(list_of_entries, name):
    return [e["real_time"] for e in list_of_entries if e["name"] == name and "real_time" in e]


with tempfile.TemporaryDirectory(dir=folder) as name:
    folder = pathlib.Path(name)
    a, b = folder / "a.json", folder / "b.json"
    for file in (a, b):
        # 3: the larger size does not fit the memory, so there are entries without times.
        assert subprocess.run([*RUN, "--json", file], capture_output=True).returncode == 3
    timed = {e["name"] for e in entries(a) if "real_time" in e}
    assert len(timed) == 6 and len({e["name"] for e in entries(a)}) == 12, timed

    found = reports(folder, "benchmarks", a, b)
    assert found.keys() == timed, found.keys() ^ timed
    for name, report in found.items():
        assert [m["real_time"] for m in report["measurements"]] == times(entries(a), name), name
        assert [m["real_time_other"] for m in report["measurements"]] == times(entries(b), name), name
        assert report["utest"]["nr_of_repetitions"] == 9 and 0 < report["utest"]["time_pvalue"] <= 1, report["utest"]

    # Portable against native within one file: a regular expression for each.
    found = reports(folder, "filters", a, "kokkos_team", "openmp_team")
    assert len(found) == 2, found.keys()
    for report in found.values():
        name = report["name"].replace("[kokkos_team vs. openmp_team]", "kokkos_team")
        other = name.replace("kokkos_team", "openmp_team")
        assert [m["real_time"] for m in report["measurements"]] == times(entries(a), name) != [], name
        assert [m["real_time_other"] for m in report["measurements"]] == times(entries(a), other) != [], other
print("compare.py read", len(timed), "variants")
