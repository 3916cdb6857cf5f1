#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how close team comes to the ceilings as the work grows, from the files of benchmarks/scale.sh.

    benchmarks/scale.py FOLDER/NAME_scale_*.json                     prints tables in Markdown
    benchmarks/scale.py --picture FILE.svg FOLDER/NAME_scale_*.json  draws them too, which needs matplotlib
"""
from figures import Run
from measured import COLOURS, picture_and_results, pyplot, require_same_build, save, source_of

SIDES = {"kokkos": "portable", "cuda": "native", "openmp": "native"}
WORKS = ("average", "average_mv", "transpose", "yax")
HIGHEST = 1.75  # share in the pictures; beyond 1 a cache or tensor cores help


def sizes_of(entry):
    """{"sets": 64, ...}, without the type."""
    parts = (part.split(":") for part in entry["name"].split("/")[2:])
    return {name: int(value) for name, value in parts if name != "type"}


class Scale:
    """The result files of one machine and build; those of the product may be of another build."""

    def __init__(self, paths):
        self.works, self.products, self.failures = {}, {}, []
        first = {}  # of the works and of the products: path and context
        for path in paths:
            run = Run(path)
            is_product = "_scale_product_" in path.name
            first_path, context = first.setdefault(is_product, (path, run.context))
            require_same_build(run.context, path, context, first_path)
            for entry in run.entries:
                if "ms" not in entry:
                    self.failures.append(f"- {entry['name']}: {entry.get('error_message')}")
                elif is_product:
                    self.add_product(run, entry)
                else:
                    case = self.works.setdefault((entry["algorithm"], entry["bytes"]), {"name": entry["name"]})
                    case[SIDES[entry["model"]]] = entry
        self.contexts = [first[kind][1] for kind in (False, True) if kind in first]

    def add_product(self, run, entry):
        sizes = sizes_of(entry)
        case = self.products.setdefault((entry["type"], sizes["length"]), {"sizes": sizes, "run": run})
        case.setdefault(entry["algorithm"], {})[SIDES[entry["model"]]] = entry

    def work(self, algorithm):
        return [(size, case) for (name, size), case in sorted(self.works.items()) if name == algorithm]

    def product(self, kind):
        return [(length, case) for (name, length), case in sorted(self.products.items()) if name == kind]


def product_share(case, side):
    """Of the better of its two limits, that the product alone reached: what average_mv takes more than the
    average of the same. None where it takes no more, or where one of the two is missing."""
    both = [case.get(algorithm, {}).get(side) for algorithm in ("average_mv", "average")]
    if None in both or both[0]["ms"] <= both[1]["ms"]:
        return None
    n, l = case["sizes"]["sets"], case["sizes"]["length"]
    moved = (2 * n * l + l * l) * (8 if both[0]["type"] == "f64" else 4)  # reads means and a, writes y
    best = max(moved / case["run"].ceiling("copy_bytes_per_second"),
               2 * n * l * l / case["run"].ceiling(f"{both[0]['type']}_flops"))
    return best / ((both[0]["ms"] - both[1]["ms"]) * 1e-3)


def words(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def product_words(share):
    """Where the product takes hardly any time of its own it is done while v is read."""
    return "hidden" if share and share > HIGHEST else words(share)


def of(entry, key):
    return entry[key] if entry else None


def time_per_byte(entry):
    """In ps, which is TB/s the other way round."""
    return f"{entry['ms'] * 1e9 / entry['bytes']:.4g}" if entry else ""


def size_words(entry_name):
    return ", ".join(entry_name.split("/")[2:]).replace("type:", "").replace(":", " ")


def work_table(scale):
    lines = ["| work | sizes | bytes | portable ps/byte | native ps/byte | portable of ceiling | native of ceiling |",
             "|---|---|--:|--:|--:|--:|--:|"]
    for algorithm in WORKS:
        for size, case in scale.work(algorithm):
            portable, native = case.get("portable"), case.get("native")
            lines.append(f"| {algorithm} | {size_words(case['name'])} | {size:.3g} | {time_per_byte(portable)} "
                         f"| {time_per_byte(native)} | {words(of(portable, 'share_of_ceiling'))} "
                         f"| {words(of(native, 'share_of_ceiling'))} |")
    return lines


def product_table(scale):
    lines = ["| type | L | sets | portable ms | native ms | portable of limit | native of limit "
             "| product alone, portable | native |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for kind in ("f32", "f64"):
        for length, case in scale.product(kind):
            whole = case.get("average_mv", {})
            sides = [whole.get("portable"), whole.get("native")]
            cells = [f"{entry['ms']:.4g}" if entry else "" for entry in sides]
            cells += [words(of(entry, "share_of_ceiling")) for entry in sides]
            cells += [product_words(product_share(case, side)) for side in ("portable", "native")]
            lines.append(f"| {kind} | {length} | {case['sizes']['sets']} | " + " | ".join(cells) + " |")
    return lines


def draw(scale, path):
    plt = pyplot()
    figure, panels = plt.subplots(2, 3, figsize=(13, 8), sharey=True)
    panels = panels.flatten()
    for axes, algorithm in zip(panels, WORKS):
        for side, style in (("portable", "o-"), ("native", "s--")):
            points = [(size, case[side]["share_of_ceiling"]) for size, case in scale.work(algorithm) if side in case]
            if points:
                axes.plot(*zip(*points), style, color=COLOURS[side], markersize=4, label=f"{side} team")
        axes.set_title(algorithm, fontsize=11)
        axes.set_xlabel("bytes moved")
        axes.set_xscale("log", base=2)
    for axes, kind in zip(panels[4:], ("f32", "f64")):
        for side, style in (("portable", "o-"), ("native", "s--")):
            whole = [(length, case["average_mv"][side]["share_of_ceiling"]) for length, case in scale.product(kind)
                     if side in case.get("average_mv", {})]
            alone = [(length, share) for length, case in scale.product(kind)
                     if (share := product_share(case, side)) and share <= HIGHEST]
            if whole:
                axes.plot(*zip(*whole), style, color=COLOURS[side], markersize=4, label=f"{side} team, 4 vectors a set")
            if alone:
                axes.plot(*zip(*alone), style, color=COLOURS[side], markersize=4, alpha=0.4,
                          label=f"{side}, the product alone")
        axes.set_title(f"average_mv, {kind}: the product", fontsize=11)
        axes.set_xlabel("length L")
        axes.set_xscale("log", base=2)
    for axes in panels:
        axes.axhline(1, color="#888888", linewidth=1)
        axes.set_ylim(0, HIGHEST)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=9, loc="upper left" if axes in panels[:4] else "lower right")
    for axes in (panels[0], panels[3]):
        axes.set_ylabel("share of the ceiling, by time")
    figure.suptitle(scale.contexts[0]["device"], fontsize=11)
    save(figure, path)


def main():
    arguments = picture_and_results(__doc__.splitlines()[0])
    scale = Scale(arguments.results)
    print("\n".join(work_table(scale) + [""] + product_table(scale)))
    if scale.failures:
        print("\nNot measured:\n\n" + "\n".join(scale.failures))
    for context in scale.contexts:
        print(f"\n{source_of(context)}")
    if arguments.picture:
        draw(scale, arguments.picture)


if __name__ == "__main__":
    main()
