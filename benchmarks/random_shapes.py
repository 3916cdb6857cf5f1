#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures team, tuned and their peers over shapes drawn at random: sizes over logarithms, every type of an algorithm, and for
half of the shapes gaps between the rows, as those of a block of a larger matrix have.

    benchmarks/random_shapes.py MINIAPP FOLDER NAME [--count 300] [--seed 1] [--largest BYTES] [OPTION ...]

writes FOLDER/NAME_{average,average_mv,transpose,yax,vector_add}_random.json for benchmarks/sweep.py. Nobody chooses a
shape, so most sizes are odd and few are round. Other options go to the mini-app: --cold-cache, say, where a cache holds
most of these arrays. Each shape is written when it is measured, and an interrupted run goes on behind the last one.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys

SIZES = {  # of the largest array of each algorithm
    "transpose": ("rows", "cols"),
    "yax": ("rows", "cols"),
    "average": ("sets", "vectors", "length"),
    "average_mv": ("sets", "vectors", "length"),
    "vector_add": ("elements",),
}
LEAST = 2**16  # bytes of the largest array
MOST_PADDING = 64  # elements


def draw(generator, algorithm, types, largest):
    """A type, and sizes whose product has about LEAST to `largest` bytes. No size is less than 2."""
    kind, names = generator.choice(types), SIZES[algorithm]
    elements = math.exp(generator.uniform(math.log(LEAST), math.log(largest))) / (int(kind[1:]) / 8)
    parts = [generator.uniform(0.5, 2) for _ in names]  # of the logarithm
    return kind, {name: max(2, round(elements ** (part / sum(parts)))) for name, part in zip(names, parts)}


def draw_padding(generator, sizes):
    """Elements between the rows, 0 for half of the shapes. A vector has no rows."""
    padding = round(math.exp(generator.uniform(0, math.log(MOST_PADDING))))
    return padding if generator.random() < 0.5 and len(sizes) > 1 else 0


def variants_and_types(miniapp, algorithm):
    """team, tuned and whatever calls a library, as one option, and the types of team."""
    listed = subprocess.run([miniapp, "--list", "--json", "-"], check=True, capture_output=True, text=True).stdout
    variants = next(a["variants"] for a in json.loads(listed)["algorithms"] if a["algorithm"] == algorithm)
    names = {v["variant"] for v in variants if v["variant"] in ("team", "tuned") or v["model"] in ("vendor", "kokkos_kernels")}
    return ",".join(sorted(names)), next(v["types"] for v in variants if v["variant"] == "team")


def measure(miniapp, algorithm, count, generator, paddings, path, largest, further):
    """Adds the shapes that `path` has not yet: the context of the first, and the entries of all."""
    result = json.loads(path.read_text()) if path.exists() else {"drawn": 0}
    variants, types = variants_and_types(miniapp, algorithm)
    for case in range(count):
        kind, sizes = draw(generator, algorithm, types, largest)
        padding = draw_padding(paddings, sizes)
        if case < result["drawn"]:
            continue
        options = [f"--{name}={size}" for name, size in sizes.items()] + [f"--row-padding={padding}"] * (padding > 0)
        ended = subprocess.run([miniapp, "--algorithm", algorithm, "--variant", variants, "--type", kind, *options,
                                "--reps", "31", "--timeout", "20", *further, "--json", "-"], capture_output=True, text=True)
        if ended.returncode not in (0, 3):  # 3: too large for the memory, and recorded as that
            sys.exit(f"{algorithm} {kind} {' '.join(options)}: exit status {ended.returncode}\n{ended.stderr}")
        one = json.loads(ended.stdout)
        result = {**one, **result, "benchmarks": result.get("benchmarks", []) + one["benchmarks"], "drawn": case + 1}
        whole = path.with_suffix(".new")
        whole.write_text(json.dumps(result))
        whole.replace(path)
        print(f"{case + 1} of {count}: {algorithm} {kind} {' '.join(options)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("miniapp", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("--count", type=int, default=300, help="shapes, shared among the algorithms; default 300")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=2**30, help="bytes of the largest array; default 2^30")
    arguments, further = parser.parse_known_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    further += ["--ceilings", arguments.folder / f"{arguments.name}_ceilings.json"]
    count = math.ceil(arguments.count / len(SIZES))
    for algorithm in SIZES:
        path = arguments.folder / f"{arguments.name}_{algorithm}_random.json"
        # The same whatever is measured already; two, so that the shapes are those of before there were paddings.
        generator, paddings = (random.Random(f"{arguments.seed} {algorithm}{what}") for what in ("", " padding"))
        measure(arguments.miniapp.resolve(), algorithm, count, generator, paddings, path, arguments.largest, further)


if __name__ == "__main__":
    main()
