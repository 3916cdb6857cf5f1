# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pennycook's metric and code convergence of each way to write a kernel: what a navigation chart shows. Needs Python alone,
for `./ado report` draws the chart too."""
from statistics import harmonic_mean, median

WAYS = ("plain", "team", "tuned")
BY_HAND = "by hand"
DOTS = (*WAYS, BY_HAND)
BEST_BY_HAND = ("cuda/team", "openmp/team")
SIZES_DIFFER = ", sizes differ"


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
    """(way, convergence, phi, height of its label, whether the label is on the right) of each dot, the highest first. Labels
    that would overlap are `least` apart."""
    placed = []
    for way, dot in sorted(chart.items(), key=lambda item: -item[1]["phi"]):
        if dot["convergence"] is not None:
            right, height = dot["convergence"] < 0.6, dot["phi"]
            middle = dot["convergence"] + (0.14 if right else -0.14)
            near = [above for other, above in placed if abs(other - middle) < 0.24]
            height = min([height, *(above - least for above in near)])
            placed.append((middle, height))
            yield way, dot["convergence"], dot["phi"], height, right


def without_dot(chart):
    return ", ".join(f"{way} (Φ {dot['phi']:.3f})" for way, dot in chart.items() if dot["convergence"] is None)


def problems_in(rows):
    problems = {row["problem"] for row in rows}
    differ = ", each machine at its own sizes" if any(problem.endswith(SIZES_DIFFER) for problem in problems) else ""
    return f"{len(problems)} problem{'s' if len(problems) > 1 else ''}{differ}"
