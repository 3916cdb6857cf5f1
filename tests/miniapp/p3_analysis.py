# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what --p3-csv writes with the functions of the p3-analysis-library.

usage: p3_analysis.py MINIAPP FOLDER
"""
import pathlib
import subprocess
import sys

try:
    import pandas
    from p3analysis.metrics import application_efficiency, pp
except ImportError as error:
    print(f"skipped: p3_analysis: {error}")
    sys.exit(0)

program, folder = sys.argv[1:]
file = pathlib.Path(folder) / "p3_analysis.csv"
subprocess.run([program, "--algorithm", "yax,transpose", "--rows", "67", "--cols", "41", "--variant",
                "team,serial", "--type", "f32,f64", "--reps", "3", "--p3-csv", file], check=True,
               stdout=subprocess.DEVNULL)
frame = pandas.read_csv(file)
file.unlink()

assert frame["problem"].nunique() == 4, frame
for problem, part in frame.groupby("problem"):
    assert len(part) >= 2, part
    theirs = application_efficiency(part, foms="lower")
    ours = part.set_index("application")["app eff"]
    for application, efficiency in theirs.set_index("application")["app eff"].items():
        assert abs(efficiency - ours[application]) < 1e-12, (problem, application)
    # With one platform the metric is the efficiency there.
    for application, metric in pp(part.drop(columns="arch eff")).set_index("application")["app pp"].items():
        assert abs(metric - ours[application]) < 1e-12, (problem, application)
    assert (part["arch eff"] > 0).all(), part
print("p3analysis read", len(frame), "lines")
