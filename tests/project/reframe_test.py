# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packaging/reframe: ReFrame runs the mini-app, has its ratios, and fails where no result is verified.

usage: reframe_test.py MINIAPP
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[1]).resolve()
reframe = shutil.which("reframe")
if not reframe:
    print("skipped: reframe: there is no reframe: python3 -m pip install reframe-hpc")
    sys.exit(0)
test = pathlib.Path(__file__).resolve().parents[2] / "packaging/reframe/ado.py"

with tempfile.TemporaryDirectory() as folder:
    def run(executable):
        return subprocess.run([reframe, "-c", test, "-r", "--nocolor", "-n", "yax", "--prefix", "out", "-S", f"executable={executable}",
                               "-S", "options=--rows=300,--cols=400,--reps=9"], cwd=folder, capture_output=True, text=True)

    done = run(program)
    assert done.returncode == 0 and "PASSED" in done.stdout, done.stdout + done.stderr
    for way in ("plain", "team", "tuned"):
        assert f"P: {way}_over_by_hand: " in done.stdout and f"P: {way}_time: " in done.stdout, done.stdout
    done = run("/bin/true")
    assert done.returncode != 0 and "FAILED" in done.stdout, done.stdout + done.stderr
