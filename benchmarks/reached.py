#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of docs/lab, in Markdown: `team`, its twin and the best library, a group of columns a file.

    benchmarks/reached.py FILE...

Time and share by hand are those of the row's own pairs: the portable time over the ratio, the portable share times it.
"""
import pathlib
import sys

from measured import best_portable, load


def sizes_of(entry):
    """"1024^3 f32" where all sizes are one, else "3 x 5 f32"."""
    parts = dict(part.split(":") for part in entry["name"].split("/")[2:])
    sizes = [value for key, value in parts.items() if key != "type"]
    alike = f"{sizes[0]}^{len(sizes)}" if len(set(sizes)) == 1 and len(sizes) > 1 else " x ".join(sizes)
    return f"{alike} {parts['type']}"


def best_library(entries, problem):
    found = [e for e in entries if e["name"].split("/", 2)[2] == problem[1] and e["algorithm"] == problem[0] and "ms" in e
             and e["model"] in ("vendor", "kokkos_kernels", "eigen")]
    best = min(found, key=lambda e: e["ms"], default=None)
    return f"{best['ms']:.4g} ({best['model']}/{best['variant']})" if best else ""


def twins(paths):
    runs = [load(path) for path in paths]
    head = "| |" + "".join(f" {c['device'].split(',')[-1 if 'OpenMP' in c['device'] else 0].strip()}: portable, ms | portable / by hand "
                           "| by hand, ms | best library, ms | share of ceiling, portable | by hand |" for c, _ in runs)
    lines = [head, "|---|" + "--:|" * (head.count("|") - 2)]
    hand = {}
    best = best_portable(runs[0][1])
    for entry in (e for e in runs[0][1] if e["model"] == "kokkos" and e["variant"] == best):
        problem = entry["algorithm"], entry["name"].split("/", 2)[2]
        cells = [f"{entry['algorithm']} {sizes_of(entry)}"]
        for place, (_, entries) in enumerate(runs):
            e = next(x for x in entries if x["name"] == entry["name"])
            ratio, low, high = (e["portable_over_native" + end] for end in ("", "_low", "_high"))
            hand[place, *problem] = e["ms"] / ratio
            cells += [f"{e['ms']:.4g}", f"{ratio:.3f} ({low:.3f} to {high:.3f})", f"{e['ms'] / ratio:.4g}", best_library(entries, problem),
                      f"{e['share_of_ceiling']:.2f}", f"{e['share_of_ceiling'] * ratio:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    over = [f"{hand[0, 'average_mv', sizes] / hand[0, 'average', sizes]:.3f}" for _, a, sizes in hand if a == "average_mv"
            and (0, "average", sizes) in hand][:1]
    return lines + [""] + [f"By hand average_mv takes {value} of the average's time." for value in over] if over else lines


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("\n".join(twins([pathlib.Path(name) for name in sys.argv[1:]])))
