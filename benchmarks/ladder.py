#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts measured ladders into Markdown pages, from result files of the mini-app.

    benchmarks/ladder.py docs/ladder/*.md           rewrites their tables and pictures
    benchmarks/ladder.py --check docs/ladder/*.md   says whether their tables are those of the results
    benchmarks/ladder.py --join ALL.json FILE...    makes one result file of several of one machine and build

A page names what it wants, and its own "## `rung`" headings give the order. Variants that are no rungs have headings
"### `exhibit`", and tables of their own:

    <!-- table average_mv ../../benchmarks/results/FILE.json -->   (up to <!-- end -->)
    <!-- exhibits yax ../../benchmarks/results/FILE.json -->   (likewise)
    <!-- pair yax row_per_thread team ../../benchmarks/results/FILE.json -->   (likewise: two rungs, with the copies)
    <!-- picture average_mv ../../benchmarks/results/FILE.json ../pictures/FILE.svg -->

Pictures need matplotlib.
"""
import argparse
import json
import pathlib
import re
import sys

from measured import COLOURS, NATIVE, RecordError, load, markdown_table, problem_of, pyplot, require_same_build, save, source_of

MODELS = {"kokkos": "Kokkos", "openmp": "OpenMP", "serial": "serial", "vendor": "library", "kokkos_kernels": "library"}
SIDES = ("portable", "native")


def load_rungs(path, algorithm):
    """{rung: {"portable" or "native": entry}} of one algorithm, each entry with its median in ms."""
    context, entries = load(path)
    rungs = {}
    for entry in entries:
        if entry["algorithm"] == algorithm and "ms" in entry:
            side = "native" if entry["model"] in NATIVE else "portable"
            rungs.setdefault(entry["variant"], {})[side] = entry
    if not rungs:
        sys.exit(f"{path}: holds no results of {algorithm}")
    return context, rungs


def order_of(page, mark="##"):
    """The rungs in the order of the page's headings; with mark "###" its exhibits."""
    return re.findall(rf"^{mark} `(\w+)`", page, re.M)


def milliseconds(value):
    return f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def lines_of(context, rungs, titles, rows):
    """A table, and below it what was measured, and where."""
    measured = problem_of(next(iter(next(iter(rungs.values())).values())))
    lines = markdown_table(titles, rows, words=2 if "model" in titles else 1)
    return "\n".join([*lines, "", f"{measured}; {source_of(context)}"])


def table(context, rungs, order):
    """A rung is compared with the one before. On a GPU it has a twin by hand. On a CPU all are compared with the
    best by hand, and each model has a row."""
    rows, first, before = [], None, None
    on_gpu = context["backend"] == "cuda"
    for rung in (r for r in order if r in rungs):
        best = best_of(rungs[rung])
        first, before = first or best["ms"], before or best["ms"]
        for entry in [best] if on_gpu else (rungs[rung][side] for side in SIDES if side in rungs[rung]):
            sides = twin_cells(rungs[rung]) if on_gpu else host_cells(entry, rungs["team"]["native"])
            rows.append([f"`{rung}`", *sides, f"{entry['share_of_ceiling']:.2f}", f"{before / entry['ms']:.2f}",
                         f"{first / entry['ms']:.1f}"])
        before = best["ms"]
    titles = ["Kokkos ms", "CUDA ms", "Kokkos / CUDA"] if on_gpu else ["model", "ms", "over `team` by hand"]
    return lines_of(context, rungs, ["rung", *titles, "of ceiling", "times the rung before", "in total"], rows)


def best_of(sides):
    return sides.get("portable") or sides["native"]


def twin_cells(sides):
    portable, native = (sides[side]["ms"] if side in sides else None for side in SIDES)
    return [*(milliseconds(ms) if ms else "" for ms in (portable, native)),
            f"{portable / native:.2f}" if portable and native else ""]


def host_cells(entry, best_by_hand):
    return [MODELS[entry["model"]], milliseconds(entry["ms"]), f"{entry['ms'] / best_by_hand['ms']:.2f}"]


def exhibits(context, rungs, order):
    """An exhibit stands for itself."""
    rows = [[f"`{name}`", *twin_cells(rungs[name]), f"{best_of(rungs[name])['share_of_ceiling']:.2f}"]
            for name in order if name in rungs]
    return lines_of(context, rungs, ["exhibit", "Kokkos ms", "CUDA ms", "Kokkos / CUDA", "of ceiling"], rows)


def pair(context, rungs, slow, fast):
    """What one rung gains over another: the kernel alone, and a run from host memory to host memory."""
    rows = []
    for side, model in zip(SIDES, ("Kokkos", "CUDA")):
        both = [rungs[rung][side] for rung in (slow, fast)]
        kernels, whole = ([entry[key] for entry in both] for key in ("ms", "seconds_with_transfers"))
        rows.append([f"{model}, kernel", *map(milliseconds, kernels), f"{kernels[0] / kernels[1]:.1f}"])
        # One run each, and the copies differ from run to run: two digits.
        rows.append([f"{model}, with copies", *(f"{float(f'{1e3 * seconds:.2g}'):g}" for seconds in whole),
                     f"{whole[0] / whole[1]:.1f}"])
    return lines_of(context, rungs, ["ms", f"`{slow}`", f"`{fast}`", "times as fast"], rows)


def draw(context, rungs, order, path):
    plt = pyplot()
    names = [r for r in order if r in rungs]
    figure, axes = plt.subplots(figsize=(9, 0.55 * len(names) + 1.4))
    for place, rung in enumerate(names):
        for side, shift in (("portable", -0.19), ("native", 0.19)):
            entry = rungs[rung].get(side)
            if not entry:
                continue
            axes.barh(place + shift, entry["ms"], 0.36, color=COLOURS[side])
            axes.annotate(milliseconds(entry["ms"]), (entry["ms"], place + shift), (5, 0), textcoords="offset points",
                          va="center", fontsize=9)
    times = [entry["ms"] for rung in names for entry in rungs[rung].values()]
    log = max(times) > 20 * min(times)  # where they are closer, lengths may be lengths
    axes.set_xscale("log" if log else "linear")
    axes.set_xlim(right=max(times) * (2 if log else 1.3))
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel(f"ms{' (log scale)' if log else ''}, shorter is faster")
    axes.set_title(context["device"], fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.bar(1, 0, color=COLOURS["portable"], label="Kokkos")
    axes.bar(1, 0, color=COLOURS["native"], label="native: CUDA, OpenMP or a library")
    axes.legend(loc="lower right", frameon=False)
    save(figure, path)


def join(to, paths):
    """Writes the entries of all files, with the context of the first and the command lines of all."""
    files = []
    for path in paths:
        context, _ = load(path)
        files.append(json.loads(path.read_text()))
        require_same_build(context, path, files[0]["context"], paths[0])
    whole = files[0]
    whole["context"]["command_lines"] = [file["context"]["command_line"] for file in files]
    whole["benchmarks"] = [entry for file in files for entry in file["benchmarks"]]
    to.write_text(json.dumps(whole, indent=1) + "\n")


def fill_page(path, check):
    page = path.read_text()

    def fill(match):
        what, algorithm, *rungs_of_pair, source = match[1].split()
        context, rungs = load_rungs(path.parent / source, algorithm)
        if what == "pair":
            made = pair(context, rungs, *rungs_of_pair)
        elif what == "exhibits":
            made = exhibits(context, rungs, order_of(page, "###"))
        else:
            made = table(context, rungs, order_of(page))
        return f"<!-- {match[1]} -->\n{made}\n<!-- end -->"

    filled = re.sub(r"<!-- ((?:table|exhibits|pair) .+?) -->\n.*?<!-- end -->", fill, page, flags=re.S)
    if check:
        if filled != page:
            sys.exit(f"{path}: its tables are not those of the results; run benchmarks/ladder.py")
        return
    path.write_text(filled)
    for algorithm, source, picture in re.findall(r"<!-- picture (\w+) (\S+) (\S+) -->", page):
        context, rungs = load_rungs(path.parent / source, algorithm)
        draw(context, rungs, order_of(page), path.parent / picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where it would")
    parser.add_argument("--join", type=pathlib.Path, metavar="ALL.json")
    parser.add_argument("page", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    if arguments.join:
        join(arguments.join, arguments.page)
        return
    for page in arguments.page:
        fill_page(page, arguments.check)


if __name__ == "__main__":
    try:
        main()
    except RecordError as error:
        sys.exit(str(error))
