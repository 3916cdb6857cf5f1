#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each way to write Kokkos costs: time of plain, team (one source) and tuned over the best by hand.

    benchmarks/ways.py FILE.json ...     a line for each problem and the geometric means; of many problems of an algorithm, as
                                         benchmarks/random_shapes.py has them, their mean and the worst. Lines of kernels too, where the records have them
    benchmarks/ways.py --picture FILE.svg FILE.json ...     draws a dot for each problem, too, which needs matplotlib

The files are those of `miniapp --json`, all of one machine and build. Ratios are the record's own, of pairs of runs.
"""
from measured import (geometric_mean, label_over_bytes, load_all, markdown_table, picture_and_results, portability, problem_of,
                      pyplot, save, source_of)

WAYS = portability.WAYS
MANY = 3  # problems of an algorithm
LOOKS = {"plain": ("#888888", "^"), "team": ("#d95f02", "o"), "tuned": ("#1b6ca8", "s")}
TICKS = (0.5, 0.7, 1, 1.5, 2, 3, 5)  # of the picture


def ratios_of(entries):
    """{algorithm: {problem: {way: (ratio, low, high)}}} of what is verified; the ends of an interval may be None."""
    found = {}
    for _, entry in entries:
        if entry["model"] == "kokkos" and entry["variant"] in WAYS and "portable_over_native" in entry and entry.get("verified"):
            of_algorithm = found.setdefault(entry["algorithm"], {})
            of_algorithm.setdefault(problem_of(entry), {})[entry["variant"]] = tuple(
                entry.get(f"portable_over_native{end}") for end in ("", "_low", "_high"))
    return found


def lines_of_kernels(entries):
    """{way: {algorithm: its lines, and those of one backend}}, where the records have them."""
    found = {way: {} for way in WAYS}
    for _, entry in entries:
        if entry["model"] == "kokkos" and entry["variant"] in WAYS and "kernel_lines" in entry:
            found[entry["variant"]][entry["algorithm"]] = entry["kernel_lines"], entry["kernel_lines_of_one_backend"]
    return found if any(found.values()) else {}


def lines_rows(kernels):
    """The mean of the algorithms."""
    sums = [[sum(column) for column in zip(*kernels[way].values())] for way in WAYS] if kernels else []
    cells = [(f"{of[0] / len(kernels[way]):.0f}", f"{100 * of[1] / of[0]:.0f} %") if of else ("", "") for way, of in zip(WAYS, sums)]
    return [[title, *row] for title, row in zip(("lines a kernel", "of these for one backend"), zip(*cells))]


def text(ratios, what=geometric_mean):
    value = what(ratios) if ratios else None
    return "" if value is None else f"{value:.2f}" if value >= 1.995 else f"{value:.3f}"


def of_way(problems, way):
    return [ratios[way][0] for ratios in problems if way in ratios]


def cell(ratio):
    """With its interval, where that says something."""
    value, *ends = ratio or (None, None, None)
    if value is None or None in ends or portability.is_open(*ends):
        return "" if value is None else text([value])
    return f"{text([value])} ({text(ends[:1])} to {text(ends[1:])})"


def lines_of(found, kernels):
    """A line for each problem, the means of all, and what the kernels have of lines."""
    rows = [[f"`{algorithm}` {problem.replace(':', ' ').replace('type ', '')}", *(cell(ratios.get(way)) for way in WAYS)]
            for algorithm, problems in found.items() for problem, ratios in problems.items()]
    every = [ratios for problems in found.values() for ratios in problems.values()]
    means = [["geometric mean", *(text(of_way(every, way)) for way in WAYS)]] if len(every) > 1 else []
    return markdown_table(["time over the best by hand", *(f"`{way}`" for way in WAYS)], rows + means + lines_rows(kernels))


def summary_of(found, _):
    """A line for each algorithm: mean and worst of its problems. And one for all."""
    ways = [way for way in WAYS if any(of_way(problems.values(), way) for problems in found.values())]
    titles = ["", "shapes"] + [f"`{way}`, {word}" for way in ways for word in ("mean", "worst")]
    every = [ratios for problems in found.values() for ratios in problems.values()]
    groups = [(f"`{algorithm}`", list(problems.values())) for algorithm, problems in found.items()] + [("all", every)] * (len(found) > 1)
    rows = [[name, str(len(of))] + [text(of_way(of, way), what) for way in ways for what in (geometric_mean, max)] for name, of in groups]
    return markdown_table(titles, rows)


def draw(context, entries, found, path):
    """A panel for each algorithm: time over the best by hand, over the bytes that a problem moves."""
    plt = pyplot()
    size_of = {(entry["algorithm"], problem_of(entry)): entry["bytes"] for _, entry in entries if "bytes" in entry}
    figure, panels = plt.subplots(1, len(found), figsize=(3.4 * len(found), 3.8), sharex=True, sharey=True, squeeze=False)
    for axes, (algorithm, problems) in zip(panels[0], found.items()):
        axes.axhline(1, color="#888888", linewidth=1)
        for way in (way for way in WAYS if of_way(problems.values(), way)):
            colour, marker = LOOKS[way]
            dots = [(size_of[algorithm, problem], ratios[way][0]) for problem, ratios in problems.items() if way in ratios]
            axes.scatter(*zip(*dots), s=24, color=colour, marker=marker, alpha=0.75, linewidths=0, label=way)
        label_over_bytes(axes, algorithm, TICKS)
    panels[0][0].set_ylabel("time over that of the best by hand")
    panels[0][0].legend(frameon=False, fontsize=9)
    figure.suptitle(context["device"], fontsize=11)
    save(figure, path)


def main():
    arguments = picture_and_results(__doc__.splitlines()[0])
    context, entries = load_all(arguments.results)
    found = ratios_of(entries)
    if arguments.picture:
        draw(context, entries, found, arguments.picture)
    many = any(len(problems) > MANY for problems in found.values())
    print("\n".join([*(summary_of if many else lines_of)(found, lines_of_kernels(entries)), "", source_of(context)]))


if __name__ == "__main__":
    main()
