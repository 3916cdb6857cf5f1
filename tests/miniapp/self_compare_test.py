# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/self_compare.py on made times: a quiet machine passes, one that drifts and a program that
does not grow with its rows do not. The mini-app itself compares.

usage: self_compare_test.py MINIAPP
"""
import pathlib
import subprocess
import sys
import tempfile

MINIAPP = sys.argv[1]
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "self_compare.py"
# Stands in for the mini-app: 15 times of 0.3 % noise, by its rows, and a drift by how often it ran.
FAKE = """#!{python}
import json, pathlib, random, subprocess, sys
words = sys.argv[1:]
if words[0] == "compare":
    sys.exit(subprocess.run(["{miniapp}", *words]).returncode)
count = pathlib.Path(__file__).with_suffix(".count")
run = len(count.read_text()) if count.exists() else 0
count.write_text("x" * (run + 1))
value = dict(zip(words[::2], words[1::2]))
rows, source = int(value["--rows"]), random.Random(run)
context = dict.fromkeys(("ado_version", "date", "host_name", "cpu", "device", "backend", "ado_commit", "compiler",
                         "compiler_flags"), "x")
context["ado_version"] = "ado 1"
name = "yax/kokkos_team/rows:%d/cols:5/type:f64" % rows
times = [({time}) * source.gauss(1, 0.003) for _ in range(15)]
json.dump({{"context": context, "benchmarks": [{{"name": name, "real_time": t, "time_unit": "ms", "verified": True}} for t in times]}},
          open(value["--json"], "w"))
"""


def outcome(time, times=5):
    """Exit status and output of the script where a run takes `time`."""
    with tempfile.TemporaryDirectory() as folder:
        fake = pathlib.Path(folder) / "fake"
        fake.write_text(FAKE.format(python=sys.executable, miniapp=MINIAPP, time=time))
        fake.chmod(0o755)
        done = subprocess.run([sys.executable, SCRIPT, fake, "--times", str(times), "--rows", "1000", "--cols", "5"],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


status, text = outcome("rows * 1e-3")
assert status == 0, text
assert "the same program: 0 slower, 0 faster, 5 same, 0 inconclusive" in text, text
assert "10.00 % more work: 2 slower, 0 faster, 0 same, 0 inconclusive" in text, text

# Processes that are off by up to 2 %: no two runs tell, and neither do five of each.
status, text = outcome("rows * 1e-3 * (1 + 0.02 * random.Random(100 + run).uniform(-1, 1))", times=10)
assert status == 0 and "the same program: 0 slower, 0 faster, 10 same" in text, text
assert "its odd runs with its even ones: 0 slower, 0 faster, " in text, text

status, text = outcome("rows * 1e-3 * 1.08 ** run")
assert status == 1 and "the same program: 5 slower" in text, text

status, text = outcome("1.0")
assert status == 1 and "10.00 % more work: 0 slower, 0 faster, 2 same" in text, text
print("a quiet, a drifting and an indifferent program told apart")
