#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts measured ladders into a Markdown page, from result files of the mini-app.

    benchmarks/ladder.py docs/ladder.md             rewrites its tables and pictures
    benchmarks/ladder.py --check docs/ladder.md     says whether its tables are those of the results

The page names what it wants, and its own "### `rung`" headings under "## algorithm" give the order. Variants
that are no rungs have headings "#### `exhibit`", and tables of their own:

    <!-- table average_mv ../benchmarks/results/FILE.json -->   (up to <!-- end -->)
    <!-- exhibits yax ../benchmarks/results/FILE.json -->   (likewise)
    <!-- picture average_mv ../benchmarks/results/FILE.json pictures/FILE.svg -->

Pictures need matplotlib.
"""
import argparse
import pathlib
import re
import sys

from measured import COLOURS, NATIVE, load, pyplot, save, source_of


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


def order_of(page, algorithm, mark="###"):
    """The rungs of an algorithm in the order of the page's headings; with mark "####" its exhibits."""
    section = re.search(rf"^## {algorithm}$(.*?)(?=^## |\Z)", page, re.M | re.S)
    if not section:
        sys.exit(f"no section '## {algorithm}' in the page")
    return re.findall(rf"^{mark} `(\w+)`", section[1], re.M)


def milliseconds(value):
    return f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def table(context, rungs, order, of_exhibits=False):
    """A rung is compared with the one before; an exhibit stands for itself."""
    native_name = "CUDA" if context["backend"] == "cuda" else "by hand"
    titles = ["exhibit" if of_exhibits else "rung", "Kokkos ms", f"{native_name} ms", f"Kokkos / {native_name}", "of ceiling"]
    titles += [] if of_exhibits else ["times the rung before", "in total"]
    lines = ["| " + " | ".join(titles) + " |", "|---" + "|--:" * (len(titles) - 1) + "|"]
    first = before = None
    for rung in (r for r in order if r in rungs):
        portable, native = rungs[rung].get("portable"), rungs[rung].get("native")
        best = portable or native
        ratio = portable["ms"] / native["ms"] if portable and native else None
        first, before = first or best["ms"], before or best["ms"]
        cells = [
            f"`{rung}`",
            milliseconds(portable["ms"]) if portable else "",
            milliseconds(native["ms"]) if native else "",
            f"{ratio:.2f}" if ratio else "",
            f"{best['share_of_ceiling']:.2f}",
        ]
        cells += [] if of_exhibits else [f"{before / best['ms']:.2f}", f"{first / best['ms']:.1f}"]
        before = best["ms"]
        lines.append("| " + " | ".join(cells) + " |")
    name = next(iter(next(iter(rungs.values())).values()))["name"].split("/", 2)[2].replace("/", ", ")
    lines += ["", f"{name}; {source_of(context)}"]
    return "\n".join(lines)


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
            axes.text(entry["ms"] * 1.05, place + shift, milliseconds(entry["ms"]), va="center", fontsize=9)
    axes.set_xscale("log")
    axes.set_xlim(right=axes.get_xlim()[1] * 2)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel("ms (log scale), shorter is faster")
    axes.set_title(context["device"], fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.bar(1, 0, color=COLOURS["portable"], label="Kokkos")
    axes.bar(1, 0, color=COLOURS["native"], label="native: CUDA, OpenMP or a library")
    axes.legend(loc="lower right", frameon=False)
    save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where it would")
    parser.add_argument("page", type=pathlib.Path)
    arguments = parser.parse_args()
    page = arguments.page.read_text()

    def fill(match):
        what, algorithm, source = match.groups()
        context, rungs = load_rungs(arguments.page.parent / source, algorithm)
        of_exhibits = what == "exhibits"
        order = order_of(page, algorithm, "####" if of_exhibits else "###")
        return f"{match[0].splitlines()[0]}\n{table(context, rungs, order, of_exhibits)}\n<!-- end -->"

    filled = re.sub(r"<!-- (table|exhibits) (\w+) (\S+) -->\n.*?<!-- end -->", fill, page, flags=re.S)
    if arguments.check:
        if filled != page:
            sys.exit(f"{arguments.page}: its tables are not those of the results; run benchmarks/ladder.py")
        return
    arguments.page.write_text(filled)
    for algorithm, source, picture in re.findall(r"<!-- picture (\w+) (\S+) (\S+) -->", page):
        context, rungs = load_rungs(arguments.page.parent / source, algorithm)
        draw(context, rungs, order_of(page, algorithm), arguments.page.parent / picture)


if __name__ == "__main__":
    main()
