#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What steps gain one after the other, as a Markdown table.

    benchmarks/series.py threads VARIANT FILE...   a row for each file of one problem, that of the fewest threads first
    benchmarks/series.py stages CASE FILE          the rungs of pipeline: stages of one portable run, medians of all

CASE is a part of the names in the file, as chunks:64/chunk-elements:1024.
"""
import sys

from measured import load, markdown_table, problem_of, source_of


def threads(variant, paths):
    rows, first = [], None
    for path in paths:
        context, entries = load(path)
        times = {entry["model"]: entry["ms"] for entry in entries if entry["variant"] == variant}
        first = first or times["kokkos"]
        rows.append([context["device"].split()[1], *(f"{times[model]:.4g}" for model in ("kokkos", "openmp")),
                     f"{first / times['kokkos']:.1f}"])
    return markdown_table(["threads", "Kokkos ms", "OpenMP ms", "times as fast"], rows) + [
        "", f"`{variant}`, {problem_of(entries[0])}; {context['date'][:10]}, commit {context['ado_commit']}."]


def share_of_gaps(side):
    """Allocation's share of the time in which no kernel runs."""
    stages = side["stages"]
    return stages["allocate_seconds"] / (stages["elapsed_seconds"] - stages["compute_seconds"])


def stages(case, path):
    context, entries = load(path)
    rungs = {}
    for entry in (e for e in entries if case in e["name"]):
        rungs.setdefault(entry["variant"], {})[entry["model"]] = entry
    rows, before = [], None
    for rung, sides in rungs.items():
        took, ms = sides["kokkos"]["stages"], sides["kokkos"]["ms"]
        of = [took["allocate_seconds"], took["prepare_seconds"] + took["store_seconds"],
              *(took[f"{stage}_seconds"] for stage in ("copy_in", "compute", "copy_out"))]
        rows.append([f"`{rung}`", *(f"{1e3 * value:.3g}" for value in of), f"{took['overlap']:.1f}", f"{ms:.4g}",
                     f"{sides['cuda']['ms']:.4g}", f"{(before or ms) / ms:.2f}"])
        before = ms
    lines = markdown_table(["rung", "allocate", "prepare, store", "copy in", "compute", "copy out", "overlap",
                            "Kokkos ms", "CUDA ms", "times the rung before"], rows)
    if "malloc_in_loop" in rungs:
        share, by_hand = (share_of_gaps(rungs["malloc_in_loop"][model]) for model in ("kokkos", "cuda"))
        lines += ["", f"`malloc_in_loop` allocates for {share:.2f} of the time in which no kernel runs "
                      f"(by hand {by_hand:.2f})."]
    return lines + ["", f"{problem_of(sides['kokkos'])}; {source_of(context)}"]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    what, chosen, *paths = sys.argv[1:]
    print("\n".join(threads(chosen, paths) if what == "threads" else stages(chosen, *paths)))


if __name__ == "__main__":
    main()
