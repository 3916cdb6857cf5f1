# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/self_compare.py on made times: a quiet machine passes, one that drifts and a program that
does not grow with its rows do not. The mini-app itself compares.

usage: self_compare_test.py MINIAPP
"""
import pathlib
import subprocess
import sys
import tempfile

from stand_in import write_stand_in

MINIAPP = sys.argv[1]
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "self_compare.py"
# 15 times of 0.3 % noise, by its rows, and a drift by how often it ran.
TIMES = """
count = pathlib.Path(__file__).with_suffix(".count")
run = len(count.read_text()) if count.exists() else 0
count.write_text("x" * (run + 1))
rows, source = int(value["--rows"]), random.Random(run)
for _ in range(15):
    add("yax/kokkos_team/rows:%d/cols:5/type:f64" % rows, ({time}) * source.gauss(1, 0.003))
"""


def outcome(time, times=5):
    """Exit status and output of the script where a run takes `time`."""
    with tempfile.TemporaryDirectory() as folder:
        fake = pathlib.Path(folder) / "fake"
        write_stand_in(fake, MINIAPP, TIMES.format(time=time))
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
