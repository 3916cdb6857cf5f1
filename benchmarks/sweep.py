#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how the best portable variant compares with every other variant that was measured beside it, over many sizes.

    benchmarks/sweep.py FOLDER/NAME_*.json                     prints tables in Markdown
    benchmarks/sweep.py --picture FILE.svg FOLDER/NAME_*.json  draws them too, which needs matplotlib
    benchmarks/sweep.py --only lost FOLDER/NAME_*.json         one table: comparison, shares, sizes, or lost

The files are those of benchmarks/random_shapes.py and benchmarks/torch_peer.py, all of one machine and build.
"""
import math
import sys

from measured import (COLOURS, NATIVE, best_portable, geometric_mean, label_over_bytes, load_all, markdown_table,
                      picture_and_results, pyplot, save, source_of)

SUBJECT = "kokkos/tuned"  # as load_cases() finds it
LEAST = 2**24  # bytes moved, of a share of the ceiling
CLASSES = (("below 1 MiB", 0, 2**20), ("1 to 16 MiB", 2**20, LEAST), ("from 16 MiB on", LEAST, math.inf))
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)  # of the picture


def label(entry):
    return f"{entry['model']}/{entry['variant']}"


def load_cases(paths):
    """The first file's context, and {(path, algorithm, "rows 64, cols 64, f32"): {variant: entry}}."""
    context, entries = load_all(paths)
    cases = {}
    for path, entry in entries:
        problem = ", ".join(entry["name"].split("/")[2:]).replace("type:", "").replace(":", " ")
        cases.setdefault((path, entry["algorithm"], problem), {})[label(entry)] = entry
    global SUBJECT
    SUBJECT = f"kokkos/{best_portable(entry for _, entry in entries)}"
    return context, cases


def ratios_of(cases):
    """{(algorithm, peer): [(time of the subject over the peer's, problem, entry of the subject)]}. Both times
    are of one file; where several have the same case, the first counts."""
    ratios = {}
    for (_, algorithm, problem), variants in cases.items():
        subject = variants.get(SUBJECT, {})
        for peer, entry in variants.items():
            if peer != SUBJECT and "ms" in entry and "ms" in subject:
                found = subject["ms"] / entry["ms"], problem, subject
                ratios.setdefault((algorithm, peer), {}).setdefault(problem, found)
    return {key: list(by_problem.values()) for key, by_problem in sorted(ratios.items())}


def number(value):
    return f"{value:.2f}" if value else ""


def is_lost(ratio):
    return round(ratio, 2) > 1


def comparison(ratios):
    lines = [
        f"Time of {SUBJECT} over that of its peer: below 1 it is faster. Beyond the cache: only cases whose",
        "arrays are at least four times the last-level cache. Far behind: less than 0.8 of the peer's speed.",
        "",
        "| algorithm | peer | cases | geometric mean | beyond the cache | best | worst | lost | far behind |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (algorithm, peer), measured in ratios.items():
        values = [ratio for ratio, _, _ in measured]
        large = [ratio for ratio, _, subject in measured if not subject["may_stay_in_cache"]]
        lines.append(
            f"| {algorithm} | {peer}{' (native)' if is_twin(peer) else ''} | {len(values)} "
            f"| {number(geometric_mean(values))} | {number(geometric_mean(large))} "
            f"| {number(min(values))} | {number(max(values))} | {sum(map(is_lost, values))} "
            f"| {sum(ratio > 1 / 0.8 for ratio in values)} |"
        )
    return lines


def is_twin(peer):
    model, variant = peer.split("/")
    return model in NATIVE and variant == "team"


def shares(cases):
    """Of the ceilings, by the best variants alone. What a cache may serve is above them, and a launch is most of the time of
    what is small: neither says anything."""
    measured = {}
    for (_, algorithm, problem), variants in cases.items():
        for name, entry in variants.items():
            from_memory = entry["cold_cache"] or not entry["may_stay_in_cache"]
            if "ms" in entry and from_memory and entry["bytes"] >= LEAST and (name == SUBJECT or is_twin(name)):
                measured.setdefault((algorithm, name), {}).setdefault(problem, entry["share_of_ceiling"])
    rows = []
    for (algorithm, name), by_problem in sorted(measured.items()):
        problem, least = min(by_problem.items(), key=lambda case: case[1])
        rows.append([algorithm, name, problem, str(len(by_problem)), number(geometric_mean(by_problem.values())),
                     str(sum(share < 0.6 for share in by_problem.values())), number(least)])
    return ["", "Share of the ceiling, of cases from 16 MiB on that no cache serves:", "",
            *markdown_table(["algorithm", "variant", "the least for", "cases", "geometric mean", "below 0.6", "least"],
                            rows, words=3)]


def sizes(cases):
    """Of the best variants alone, portable over by hand; files with warm and with empty caches may be given together."""
    measured = {}
    for (_, algorithm, problem), variants in cases.items():
        subject, twin = variants.get(SUBJECT, {}), next((e for name, e in variants.items() if is_twin(name)), {})
        if "ms" in subject and "ms" in twin:
            caches = "cold" if subject["cold_cache"] else "warm"
            measured.setdefault((algorithm, caches), {}).setdefault(problem, (subject["ms"] / twin["ms"], subject))
    rows = []
    for (algorithm, caches), by_problem in sorted(measured.items(), key=lambda one: (one[0][1] == "cold", one[0][0])):
        means = [geometric_mean([ratio for ratio, entry in by_problem.values() if least <= entry["bytes"] < most])
                 for _, least, most in CLASSES]
        worst = max(by_problem, key=lambda problem: by_problem[problem][0])
        ratio, entry = by_problem[worst]
        us = entry["ms"] * 1e3
        rows.append([caches, algorithm, f"{worst}: {us:.{0 if us >= 100 else 1}f} us", *map(number, means), number(ratio)])
    return ["", f"Time of {SUBJECT} over its twin's by hand, geometric means by the bytes of all arrays:", "",
            *markdown_table(["caches", "algorithm", "the worst for", *(name for name, _, _ in CLASSES), "worst"], rows,
                            words=3)]


def lost_cases(ratios):
    lost = [(ratio, algorithm, peer, problem, subject)
            for (algorithm, peer), measured in ratios.items()
            for ratio, problem, subject in measured if is_lost(ratio)]
    lines = ["", f"Every case that {SUBJECT} loses, the worst first:", "",
             "| algorithm | sizes | against | ratio | ms | cache |", "|---|---|---|--:|--:|---|"]
    for ratio, algorithm, peer, problem, subject in sorted(lost, key=lambda case: -case[0]):
        cache = "may help" if subject["may_stay_in_cache"] else ""
        lines.append(f"| {algorithm} | {problem} | {peer} | {ratio:.2f} | {subject['ms']:.4g} | {cache} |")
    return lines if lost else ["", f"{SUBJECT} loses no case."]


def missing_cases(cases):
    missing = [f"| {algorithm} | {problem} | {variant} | {entry['error_message']} |"
               for (_, algorithm, problem), variants in cases.items()
               for variant, entry in variants.items() if "ms" not in entry]
    lines = ["", "Not measured:", "", "| algorithm | sizes | variant | why |", "|---|---|---|---|"]
    return lines + missing if missing else []


def look_of(peer):
    """Colour and marker; a model may have several peers."""
    model, variant = peer.split("/")
    colour = COLOURS["native" if is_twin(peer) else variant if variant in COLOURS else model]
    return colour, "s" if variant in ("eigen", "compiled") else "o"


def draw(context, ratios, path):
    plt = pyplot()
    algorithms = list(dict.fromkeys(algorithm for algorithm, _ in ratios))
    figure, panels = plt.subplots(1, len(algorithms), figsize=(4.5 * len(algorithms), 4.2), sharex=True, sharey=True,
                                  squeeze=False)
    for axes, algorithm in zip(panels[0], algorithms):
        axes.axhline(1, color="#888888", linewidth=1)
        for peer in (peer for owner, peer in ratios if owner == algorithm):
            measured = ratios[algorithm, peer]
            colour, marker = look_of(peer)
            axes.scatter([subject["bytes"] for _, _, subject in measured],
                         [min(max(ratio, TICKS[0]), TICKS[-1]) for ratio, _, _ in measured],
                         s=18, color=colour, marker=marker, alpha=0.7, linewidths=0, label=peer)
        label_over_bytes(axes, algorithm, TICKS)
        axes.legend(frameon=False, fontsize=9)
    panels[0][0].set_ylabel(f"time of {SUBJECT} / of peer\nbelow 1: {SUBJECT} is faster\n(beyond {TICKS[0]} and {TICKS[-1]}: at the edge)")
    figure.suptitle(context["device"], fontsize=11)
    save(figure, path)


def main():
    arguments = picture_and_results(__doc__.splitlines()[0], only=("comparison", "shares", "sizes", "lost"))
    context, cases = load_cases(arguments.results)
    ratios = ratios_of(cases)
    if not ratios:
        sys.exit(f"{SUBJECT} was measured beside no other variant")
    source = ["", f"{len({case[1:] for case in cases})} cases; {source_of(context)}"]
    parts = {"comparison": comparison(ratios) + source, "shares": shares(cases) + source, "sizes": sizes(cases),
             "lost": lost_cases(ratios), None: comparison(ratios) + shares(cases) + sizes(cases) + lost_cases(ratios) + missing_cases(cases) + source}
    print("\n".join(parts[arguments.only]))
    if arguments.picture:
        draw(context, ratios, arguments.picture)


if __name__ == "__main__":
    main()
