# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/random_shapes.py goes on behind the last shape, and draws the gaps between rows without moving the shapes.

usage: random_shapes_test.py MINIAPP
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))
import random_shapes  # noqa: E402

LARGEST = 2**17


def measured(folder, count):
    """{algorithm: its cases, in the order of the run: sizes and type}."""
    subprocess.run([sys.executable, BENCHMARKS / "random_shapes.py", sys.argv[1], folder, "x", "--count", str(count),
                    "--largest", str(LARGEST)], check=True, capture_output=True)
    found = {}
    for algorithm in random_shapes.SIZES:
        entries = json.loads((folder / f"x_{algorithm}_random.json").read_text())["benchmarks"]
        assert all(entry.get("verified") or "error_message" in entry for entry in entries), entries
        found[algorithm] = list(dict.fromkeys(tuple(entry["name"].split("/")[2:]) for entry in entries))
    return found


def without_padding(case):
    return [part for part in case if not part.startswith("row_padding")]


with tempfile.TemporaryDirectory() as name:
    whole, parts = pathlib.Path(name) / "whole", pathlib.Path(name) / "parts"
    cases = measured(whole, 10)
    measured(parts, 5)
    assert measured(parts, 10) == cases, "another run than the unbroken one"
    for algorithm, drawn in cases.items():
        generator = random.Random(f"1 {algorithm}")
        types = random_shapes.variants_and_types(sys.argv[1], algorithm)[1]
        for case in drawn:
            kind, sizes = random_shapes.draw(generator, algorithm, types, LARGEST)
            assert set(without_padding(case)) == {*(f"{k}:{v}" for k, v in sizes.items()), f"type:{kind}"}, (case, sizes)
    padded = [case for drawn in cases.values() for case in drawn if without_padding(case) != list(case)]
    assert padded, "none has gaps between rows"
    table = subprocess.run([sys.executable, BENCHMARKS / "sweep.py", *whole.glob("x_*_random.json")], check=True,
                           capture_output=True, text=True).stdout
    assert "row_padding" in table, table
    assert all(f"\n| warm | {algorithm} | " in table for algorithm in cases), table

paddings = [random_shapes.draw_padding(random.Random(seed), {"rows": 5, "cols": 7}) for seed in range(1000)]
assert 400 < paddings.count(0) < 600 and min(filter(None, paddings)) == 1 and max(paddings) == 64, paddings
assert not any(random_shapes.draw_padding(random.Random(seed), {"elements": 5}) for seed in range(100))
