# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each way to write a kernel costs, and Pennycook's metric and code convergence of it: what a navigation chart shows. Needs
Python alone, for `./ado report` shows both too."""
from math import exp, inf, log, sqrt
from statistics import harmonic_mean, median

WAYS = ("plain", "team", "tuned")
BY_HAND = "by hand"
DOTS = (*WAYS, BY_HAND)
BEST_BY_HAND = ("cuda/team", "openmp/team")
SIZES_DIFFER = ", sizes differ"


def verdict(value, low, high, least=0.01):
    """As the mini-app has it: slower, faster, same or inconclusive; None without a ratio."""
    if value != value:
        return None
    if low > 1 and value >= 1 + least:
        return "slower"
    if high < 1 and value <= 1 / (1 + least):
        return "faster"
    return "same" if low > 1 / (1 + least) and high < 1 + least else "inconclusive"


def is_open(low, high):
    """Whether the interval leaves open even the order of magnitude: is_open() of lib/ado/bench/stats/statistics.cpp."""
    return low <= 1 <= high and high >= 10 * low


def mean_of(ratios):
    """The geometric mean of (value, low, high), and its interval: 0 to infinity where one has none."""
    value = sum(log(middle) for middle, _, _ in ratios) / len(ratios)
    below = sqrt(sum((log(middle / low) if low else inf) ** 2 for middle, low, _ in ratios)) / len(ratios)
    above = sqrt(sum(log(high / middle) ** 2 for middle, _, high in ratios)) / len(ratios)
    return exp(value), exp(value - below), exp(value + above)


def answers(entries):
    """{way: (value, low, high, words)}: the geometric mean of the time over the best by hand, over the problems of one file, and
    what the end of a run says of it. In doubt the words have no value. Problems where both sides run one kernel are left out,
    unless all do. Only where two ways or more were compared."""
    found = {}
    for entry in entries:
        if entry["model"] == "kokkos" and entry["variant"] in WAYS and entry.get("verified") is True and "portable_over_native" in entry:
            ratio = entry["portable_over_native"], entry.get("portable_over_native_low", 0), entry.get("portable_over_native_high", inf)
            found.setdefault(entry["variant"], {})[entry["name"]] = ratio, bool(entry.get("shared_kernel"))
    if len(found) < 2:
        return {}
    result = {}
    for way in filter(found.get, WAYS):
        own = [ratio for ratio, is_shared in found[way].values() if not is_shared]
        mean = mean_of(own or [ratio for ratio, _ in found[way].values()])
        result[way] = *mean, words_of(*mean)
    return result


def words_of(value, low, high):
    times = lambda number: f"{number:.3f}" if number < 2 else f"{number:.2f}"
    if not low > 0 or is_open(low, high):
        return f"no answer, for runs are too {'noisy' if low > 0 else 'few'}; try --timeout 30"
    if verdict(value, low, high) == "inconclusive":
        return f"undecided, {times(low)} to {times(high)} times the best by hand"
    return f"{times(value)} times the best by hand ({times(low)} to {times(high)})"


def way_of(entry):
    if f"{entry['model']}/{entry['variant']}" in BEST_BY_HAND:
        return BY_HAND
    return entry["variant"] if entry["model"] == "kokkos" and entry["variant"] in WAYS else None


def cases_of(sides):
    """{problem: {platform: {way: entries}}} of (file, platform, problem, entry). A problem is one of the same sizes on all
    platforms; where there is none, and each platform has one size of an algorithm and type, it is "yax f64, sizes differ". Each
    way has to be there on some platform. Of two files of a platform the later counts."""
    kernels, platforms, ways = {}, {}, {}
    for file, platform, problem, entry in sides:
        way = way_of(entry)
        if way:
            platforms[platform] = ways[way] = None
            sizes = kernels.setdefault(f"{entry['algorithm']} {entry['type']}", {}).setdefault(platform, {})
            sizes.setdefault(problem, {}).setdefault(way, {}).setdefault(file, []).append(entry)
    cases = {}
    for kernel, found in kernels.items():
        sizes = [found.get(platform, {}) for platform in platforms]
        for problem in sizes[0]:
            if all(problem in of_platform for of_platform in sizes):
                cases[problem] = [of_platform[problem] for of_platform in sizes]
        if not cases.keys() & sizes[0].keys() and all(len(of_platform) == 1 for of_platform in sizes):
            cases[kernel + SIZES_DIFFER] = [next(iter(of_platform.values())) for of_platform in sizes]
    return {problem: {platform: {way: list(files.values())[-1] for way, files in case.items()}
                      for platform, case in zip(platforms, of_platforms)}
            for problem, of_platforms in cases.items() if ways.keys() <= set().union(*of_platforms)}


def seconds_of(case):
    """{way: seconds} of what is right. A pair of runs in turn knows the ratio better than two medians do: the machine may
    change between rows."""
    right = {way: entries for way, entries in case.items() if all(e.get("verified") is True and "ms" in e for e in entries)}
    seconds = {way: median(entry["ms"] for entry in entries) / 1e3 for way, entries in right.items()}
    for way, (entry, *_) in right.items():
        if BY_HAND in seconds and entry.get("native") in BEST_BY_HAND:
            seconds[way] = entry["portable_over_native"] * seconds[BY_HAND]
    return seconds


def convergence_of(way, entries):
    """The share of lines that both backends compile. None without line counts, but 0 by hand: CUDA and OpenMP share none."""
    lines = {}
    for entry in entries:
        if entry.get("kernel_lines") and "kernel_lines_of_one_backend" in entry:
            lines[entry["algorithm"]] = entry["kernel_lines"], entry["kernel_lines_of_one_backend"]
    if not lines or any(entry["algorithm"] not in lines for entry in entries):
        return 0 if way == BY_HAND else None
    every, of_one = map(sum, zip(*lines.values()))
    return 1 - of_one / every


def efficiencies(sides):
    """A dictionary for each problem, way and platform: `seconds`, or None where it did not run there or was wrong; `app eff`,
    the least time of any way over that, or 0; `arch eff`, the share of the ceiling, or 0; and of all platforms `convergence`
    and the entries."""
    rows = []
    for problem, platforms in cases_of(sides).items():
        for way in DOTS:
            entries = [entry for case in platforms.values() for entry in case.get(way, [])]
            for platform, case in platforms.items() if entries else ():
                seconds = seconds_of(case)
                time = seconds.get(way)
                rows.append({"problem": problem, "way": way, "platform": platform, "seconds": time,
                             "app eff": min(seconds.values()) / time if time else 0,
                             "arch eff": median(e.get("share_of_ceiling", 0) for e in case[way]) if time else 0,
                             "convergence": convergence_of(way, entries), "entries": entries})
    return rows


def navigation(rows):
    """{way: {"phi", "convergence", platform: efficiency}} of these rows. All are harmonic means, so Pennycook's metric is
    that over all problems and platforms; lines are those of all algorithms together."""
    result = {}
    for way in dict.fromkeys(row["way"] for row in rows):
        of_way = [row for row in rows if row["way"] == way]
        result[way] = {"phi": harmonic_mean([row["app eff"] for row in of_way]),
                       "convergence": convergence_of(way, [entry for row in of_way for entry in row["entries"]])}
        for platform in dict.fromkeys(row["platform"] for row in of_way):
            result[way][platform] = harmonic_mean([row["app eff"] for row in of_way if row["platform"] == platform])
    return result


def dots(chart, least):
    """(way, convergence, phi, height of its label, whether the label is on the right) of each dot, the highest first. A label is
    `least` below the labels and dots that it would touch."""
    placed = []
    for way, dot in sorted(chart.items(), key=lambda item: -item[1]["phi"]):
        if dot["convergence"] is not None:
            right, height = dot["convergence"] < 0.6, dot["phi"]
            middle = dot["convergence"] + (0.14 if right else -0.14)
            near = [above for other, above in placed if abs(other - middle) < 0.24]
            near += [other["phi"] for other in chart.values()
                     if other is not dot and other["convergence"] is not None and abs(other["convergence"] - middle) < 0.12]
            for above in sorted(near, reverse=True):
                height = above - least if abs(above - height) < least else height
            placed.append((middle, height))
            yield way, dot["convergence"], dot["phi"], height, right


def without_dot(chart):
    return ", ".join(f"{way} (Φ {dot['phi']:.3f})" for way, dot in chart.items() if dot["convergence"] is None)


def problems_in(rows):
    problems = {row["problem"] for row in rows}
    differ = ", each machine at its own sizes" if any(problem.endswith(SIZES_DIFFER) for problem in problems) else ""
    return f"{len(problems)} problem{'s' if len(problems) > 1 else ''}{differ}"
