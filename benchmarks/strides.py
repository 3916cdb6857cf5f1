#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how far strided access falls and what was predicted, from a run with --stride N,...

    miniapp --algorithm vector_add --variant strided --type f32,f64 --stride 1,2,4,8 --json FILE.json
    benchmarks/strides.py FILE.json                     prints a table in Markdown
    benchmarks/strides.py --picture FILE.svg FILE.json  draws it too, which needs matplotlib
"""
import re

from measured import COLOURS, NATIVE, load_all, picture_and_results, pyplot, save, source_of

BYTES = {"f32": 4, "i32": 4, "f64": 8, "i64": 8}


def strides_of(paths):
    """The context of the files and {type: {stride: {"portable" or "native": entry}}}."""
    context, entries = load_all(paths)
    cases = {}
    for _, entry in entries:
        stride = re.search(r"/stride:(\d+)", entry["name"])
        if stride and "ms" in entry and "predicted_share_of_ceiling" in entry:
            side = "native" if entry["model"] in NATIVE else "portable"
            cases.setdefault(entry["type"], {}).setdefault(int(stride[1]), {})[side] = entry
    return context, cases


def table(context, cases):
    lines = ["| type | stride | bytes apart | predicted | by hand | portable | by hand over predicted |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    for kind, strides in cases.items():
        for stride, sides in sorted(strides.items()):
            share = {side: entry["share_of_ceiling"] for side, entry in sides.items()}
            predicted = next(iter(sides.values()))["predicted_share_of_ceiling"]
            cells = [kind, stride, stride * BYTES[kind], f"{predicted:.3f}"]
            cells += [f"{share[side]:.3f}" if side in share else "" for side in ("native", "portable")]
            cells.append(f"{share['native'] / predicted:.2f}" if "native" in share else "")
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines + ["", source_of(context)])


def picture(path, context, cases):
    plot = pyplot()
    figure, axes = plot.subplots(1, len(cases), figsize=(4.6 * len(cases), 3.8), sharey=True, squeeze=False)
    for axis, (kind, strides) in zip(axes[0], cases.items()):
        apart = [stride * BYTES[kind] for stride in sorted(strides)]
        of_strides = [strides[stride] for stride in sorted(strides)]
        axis.plot(apart, [next(iter(s.values()))["predicted_share_of_ceiling"] for s in of_strides],
                  color="#777777", label="predicted")
        for side, marker in (("portable", "o"), ("native", "x")):
            points = [(x, s[side]["share_of_ceiling"]) for x, s in zip(apart, of_strides) if side in s]
            axis.plot(*zip(*points), marker, color=COLOURS[side], label=side)
        axis.set(xscale="log", yscale="log", title=f"vector_add, strided, {kind}",
                 xlabel="bytes from lane to lane")
        axis.set_xticks(apart, [str(x) for x in apart])
        axis.set_yticks([0.03, 0.1, 0.3, 1], ["0.03", "0.1", "0.3", "1"])
        axis.minorticks_off()
        axis.grid(color="#dddddd")
        axis.set_axisbelow(True)
    axes[0][0].set_ylabel("share of the ceiling")
    axes[0][0].legend(frameon=False)
    save(figure, path)


def main():
    options = picture_and_results(__doc__.splitlines()[0])
    context, cases = strides_of(options.results)
    print(table(context, cases))
    if options.picture:
        picture(options.picture, context, cases)


if __name__ == "__main__":
    main()
