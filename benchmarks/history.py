#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a page of result files of --json over time: how the ratio to the kernel by hand went from run to run.

    ./ado history runs/*.json -o history.html

Times of two days do not compare, for a machine has other clocks and neighbours. The kernel by hand ran in turn with the
portable one, so their ratio does. Runs stand in the order of their dates, wherever the files come from.
"""
import argparse
import pathlib

from figures import Run, application, is_native, portability, problem, refuse
from measured import write_whole
from page import answer_box, digits, escape, figures_html, interval, page_of, table, trouble_box
from pictures import WAY_COLOURS, ends_of, readable
from svg import SERIES, WIDTH, Axis, Picture, short


def series_of(runs):
    """{(platform, problem): {(variant, native variant): {place of the run: entry}}} of verified ratios that two runs have at least."""
    found = {}
    for place, run in enumerate(runs):
        for entry in run.entries:
            if "portable_over_native" in entry and not is_native(entry) and entry["verified"] is True:
                of = found.setdefault((run.platform, problem(entry)), {})
                of.setdefault((application(entry).split("_", 1)[1], entry.get("native", "")), {})[place] = entry
    found = {name: {app: at for app, at in apps.items() if len(at) > 1} for name, apps in found.items()}
    return {name: apps for name, apps in found.items() if apps}


def colours_of(apps):
    """Of the ways to write Kokkos as in a report; others have what is left, the last one more than once."""
    ways = {app: WAY_COLOURS.get(portability.way_of(next(iter(at.values())))) for app, at in apps.items()}
    rest = [colour for colour in SERIES if colour not in ways.values()] or list(SERIES)
    others = [app for app, colour in ways.items() if not colour]
    return {**ways, **{app: rest[min(k, len(rest) - 1)] for k, app in enumerate(others)}}


def draw(name, apps, runs):
    """A line for each variant and the native one that ran in turn with it: ratio and interval over the runs, which stand at equal
    distances."""
    colours = colours_of(apps)
    picture = Picture(290, f"Time over the native variant of {readable(name)}, run by run")
    top = 8 + picture.legend(12, [(named(app, apps), colours[app]) for app in apps])
    left, right, bottom = 52, WIDTH - 16, picture.height - 44
    values = [value for at in apps.values() for entry in at.values() for value in (entry["portable_over_native"], *ends_of(entry))]
    y = Axis(min([0.95, *values]) / 1.02, max([1.05, *values]) * 1.02, bottom, top)
    places = sorted({place for at in apps.values() for place in at})
    x = dict(zip(places, (left + 12 + (right - left - 24) * k / max(1, len(places) - 1) for k in range(len(places)))))
    for value in y.ticks():
        picture.line([(left, y(value)), (right, y(value))], "grid")
        picture.text(left - 6, y(value) + 4, short(value), "end", soft=True)
    picture.line([(left, y(1)), (right, y(1))], "ink", 1.5)
    for place in places[:: 1 + (len(places) - 1) // 7]:
        picture.text(x[place], bottom + 16, runs[place].context.get("date", "")[5:10], "middle", soft=True)
    picture.text((left + right) / 2, bottom + 34, "runs by date; below 1 Kokkos is faster", "middle", soft=True)
    for app, at in apps.items():
        picture.line([(x[place], y(entry["portable_over_native"])) for place, entry in sorted(at.items())], colours[app], 1.5)
        for place, entry in at.items():
            picture.line([(x[place], y(end)) for end in ends_of(entry)], colours[app], 2)
            picture.dot(x[place], y(entry["portable_over_native"]), colours[app],
                        f"{app[0]} over {app[1]}, {said_of(runs[place])}: {entry['portable_over_native']:.4g}", 4, hollow=not ends_of(entry))
    return picture


def named(app, apps):
    """The variant, with the native one where it stands beside several."""
    variant, native = app
    return f"{variant} over {native}" if sum(other[0] == variant for other in apps) > 1 else variant


def said_of(run):
    return f"{run.context.get('date', '')[:16]}, commit {run.context.get('ado_commit', '')[:12]}"


def rows_of(found, runs):
    return [(run.context.get("date", ""), run.context.get("ado_commit", "")[:12], run.path.name, readable(name), app[0], app[1],
             digits(at[place].get("ms")), interval((at[place]["portable_over_native"], at[place].get("portable_over_native_low"),
                                                    at[place].get("portable_over_native_high"))))
            for place, run in enumerate(runs) for (_, name), apps in found.items() for app, at in apps.items() if place in at]


def main():
    parser = argparse.ArgumentParser(prog="ado history", description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", metavar="FILE.json", help="what --json wrote, two at least")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="PAGE.html", help="default: history.html beside the first")
    arguments = parser.parse_args()
    runs = sorted((Run(path) for path in arguments.results), key=lambda run: run.context.get("date", ""))
    output = arguments.output or pathlib.Path(arguments.results[0]).parent / "history.html"
    if output.resolve() in (run.path.resolve() for run in runs):
        refuse(f"{output}: is a result file; name another page with -o")
    found = series_of(runs)
    if not found:
        refuse(f"no problem and variant in Kokkos has a ratio in two of the {len(runs)} files on one platform; name runs of the same sizes")
    pictures = {str(k): (readable(name), platform, draw(name, apps, runs)) for k, ((platform, name), apps) in enumerate(found.items())}
    titles = [("date", ""), ("commit", ""), ("file", "name"), ("problem", "name"), ("variant", ""), ("native", ""), ("ms", "n"), ("time over it", "n")]
    answer = answer_box(runs[-1:])
    said = f"<p>{escape(runs[-1].path.name)}, the last run, says:</p>{answer}" if answer else ""
    body = (f"{said}{trouble_box(runs)}<h2>Run by run</h2>{figures_html(pictures)}"
            f"<h2>All ratios</h2>{table(titles, rows_of(found, runs))}")
    platforms = "; ".join(dict.fromkeys(platform for platform, _ in found))
    try:
        write_whole(output, page_of("What Kokkos costs, over time", escape(platforms), body))
    except OSError as error:
        refuse(f"{output}: cannot be written: {error.strerror}; name another place")
    print(f"{len(runs)} runs, {len(found)} problems\npage: {output}")


if __name__ == "__main__":
    main()
