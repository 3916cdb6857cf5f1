# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The usual figures. Each draws into `ax`, or into a new figure, and returns the axes."""
import textwrap

import numpy as np
import pandas as pd

from . import portability
from .frames import LAUNCH, efficiencies, problem_of, summary, with_launch
from .record import COLOURS, stem_of

NEAR = 0.01  # differences below this matter to nobody, as in the mini-app
WAY_COLOURS = {"plain": "#3a8f4d", "team": COLOURS["portable"], "tuned": "#7b4fa3", "by hand": COLOURS["native"]}
VERDICTS = {"slower": "#b0413e", "faster": "#3a8f4d", "same": "#444444", "inconclusive": "#777777"}


def axes_of(ax, width, height):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def one(frame, column):
    values = frame[column].unique()
    if len(values) != 1:
        raise ValueError(f"the frame holds {len(values)} of {column}: {', '.join(map(str, values[:4]))}; "
                         f"select one: frame[frame.{column} == ...]")
    return values[0]


def finished(ax, title, width=46, **legend):
    """The legend goes above the picture, on the right, where no bar is."""
    ax.set_title("\n".join(textwrap.fill(line, width) for line in title.split("\n")), loc="left", fontsize="medium")
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize="small", **(legend or {"loc": "lower right", "bbox_to_anchor": (1, 1)}))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def ladder(frame, ax=None):
    """Bars: the share of the ceiling that each rung of an algorithm reaches, portable beside native. Of several problems
    it draws the one that moves most bytes. Where a variant was measured in several rows, the bar is their median. Rungs climb
    from the slowest to the fastest; what has no time stands first."""
    for column in ("algorithm", "file"):
        one(frame, column)
    name = frame.sort_values("bytes", kind="stable")["name"].iloc[-1]
    frame = with_launch(frame[frame["name"].map(problem_of) == problem_of(name)])
    rungs = list(frame.groupby("variant", sort=False)["ms"].median().sort_values(ascending=False, na_position="first", kind="stable").index)
    ax = axes_of(ax, 7, 1.3 + 0.5 * len(rungs))
    shares = frame.groupby(["side", "variant"])["share_of_ceiling"].median()
    for side, shift in (("portable", -0.2), ("native", 0.2)):
        of_side = shares.get(side, pd.Series(dtype=float)).dropna()
        bars = ax.barh([rungs.index(rung) + shift for rung in of_side.index], of_side, 0.38, color=COLOURS[side], label=side)
        ax.bar_label(bars, [f"{share:.2f}" for share in of_side], padding=3, fontsize="small",
                     bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})
    for _, failed in frame[frame["ms"].isna()].iterrows():
        shift = -0.2 if failed["side"] == "portable" else 0.2
        ax.text(0.01, rungs.index(failed["variant"]) + shift, str(failed["error_message"])[:60], va="center", fontsize="small",
                color=VERDICTS["slower"])
    ax.axvline(1, color="#888888", linewidth=1, zorder=0)
    ax.set_yticks(range(len(rungs)), rungs)
    ax.set_ylim(len(rungs) - 0.4, -0.6)
    ax.margins(x=0.12)
    ax.set_xlabel("share of the ceiling")
    return finished(ax, f"{problem_of(name)}\n{one(frame, 'machine')}")


def sweep(frame, y="share_of_ceiling", x="bytes", ax=None):
    """A line for each variant over the size of the problem. `y` is "share_of_ceiling", or "portable_over_native", with its
    interval; `x` is "bytes" or a size, say "rows"."""
    frame = frame[frame[y].notna() & frame[x].notna()] if y in frame else frame[:0]
    if frame.empty:
        raise ValueError(f"the frame has no {y} over {x}")
    frame = frame if x in LAUNCH else with_launch(frame)
    ax = axes_of(ax, 7, 4.5)
    told = ["algorithm", "type", "model", "variant", "machine"]
    parts = [column for column in told if frame[column].nunique() > 1] or ["variant"]
    wanted = [y] if y != "portable_over_native" else [y, f"{y}_low", f"{y}_high"]
    for key, line in frame.groupby(parts if len(parts) > 1 else parts[0], sort=False):
        style = "--" if (line["side"] == "native").all() else "-"
        line = line.astype({x: float}).reindex(columns=[x, *wanted]).groupby(x).median()
        drawn, = ax.plot(line.index, line[y], style, marker="o", markersize=4, label=" ".join(np.atleast_1d(key)))
        if len(wanted) > 1:
            ax.fill_between(line.index, line[wanted[1]], line[wanted[2]], color=drawn.get_color(), alpha=0.2, linewidth=0)
    ax.axhline(1, color="#888888", linewidth=1, zorder=0)
    ax.set_xscale("log")
    ax.set_xlabel("bytes moved" if x == "bytes" else x)
    ax.set_ylabel({"share_of_ceiling": "share of the ceiling", "portable_over_native": "time, portable over native"}.get(y, y))
    same = [frame[column].iloc[0] for column in told if column not in parts]
    return finished(ax, f"{' '.join(same[:-1])}\n{same[-1]}" if "machine" not in parts else " ".join(same),
                    loc="best")


def ratios(frame, ax=None):
    """The ratio of each pair, time of the portable over the native variant, with its 95 % interval, and a line at 1. The
    grey band is 1 %. An interval that is far wider than the ratios lie apart leaves the picture."""
    from matplotlib.ticker import MaxNLocator, NullLocator, StrMethodFormatter

    pairs = summary(frame).dropna(subset=["portable_over_native"])
    if pairs.empty:
        raise ValueError("the frame has no pair of a portable and a native variant")
    ax = axes_of(ax, 8, 1.5 + 0.25 * len(pairs))
    for place, pair in enumerate(pairs.itertuples()):
        colour, ratio = VERDICTS[pair.verdict], pair.portable_over_native
        ax.plot([pair.low, pair.high], [place, place], color=colour, linewidth=2)
        ax.plot(ratio, place, "o", color=colour, markerfacecolor="white" if pair.verdict == "inconclusive" else colour)
        ax.text(1.02, place, f"{ratio:.3f} {pair.verdict}", color=colour, va="center", fontsize="small",
                transform=ax.get_yaxis_transform())
    values = pairs["portable_over_native"]
    ax.set_xscale("log")
    ax.set_xlim(min(0.95, values.min() / 1.1), max(1.05, values.max() * 1.1))
    ax.xaxis.set_major_locator(MaxNLocator(6))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.axvspan(1 / (1 + NEAR), 1 + NEAR, color="#888888", alpha=0.15, linewidth=0)
    ax.axvline(1, color="#888888", linewidth=1, zorder=0)
    ax.set_yticks(range(len(pairs)), list(labels_of(pairs)), fontsize="small")
    ax.set_ylim(len(pairs) - 0.4, -0.6)
    ax.set_xlabel("time, portable over native")
    title = [pairs[column].iloc[0] for column in ("problem", "machine") if pairs[column].nunique() == 1]
    return finished(ax, "\n".join(title))


def navchart(frame, ax=None):
    """A dot for each way to write a kernel: Pennycook's metric over code convergence, as navigation() has them. Up is faster
    on all machines, to the right more of the source is shared. Ways without line counts have no dot, and are named below."""
    rows = efficiencies(frame)
    chart = portability.navigation(rows)
    ax = axes_of(ax, 6, 6)
    for way, convergence, phi, height, right in portability.dots(chart, 0.06):
        ax.plot(convergence, phi, "o", markersize=9, clip_on=False, zorder=3, color=WAY_COLOURS[way])
        ax.text(convergence + (0.03 if right else -0.03), height, f"{way} {phi:.3f}", va="center", ha="left" if right else "right")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.grid(color="#dddddd")
    missing = portability.without_dot(chart)
    ax.set_xlabel("code convergence: share of lines that both backends compile"
                  + (f"\nno line counts in the records, so no dot:\n{missing}" if missing else ""))
    ax.set_ylabel("Pennycook's metric Φ of the application efficiency")
    machines = "\n".join(dict.fromkeys(row["platform"] for row in rows))
    return finished(ax, f"Fast on all machines (up), from one source (right)\n{portability.problems_in(rows)}\n{machines}", 70)


def labels_of(pairs):
    """What tells the pairs apart: the problem where there are several, its sizes where a file has several, the file."""
    sized = pairs.groupby(["file", "algorithm", "type"])["problem"].transform("nunique") > 1
    several = pairs["problem"].nunique() > 1
    for (_, pair), sizes in zip(pairs.iterrows(), sized):
        words = [pair["problem"] + ":" if sizes else f"{pair['algorithm']} {pair['type']}"] if several else []
        words.append(pair["variant"] if pair["model"] == "kokkos" else f"{pair['model']}/{pair['variant']}")
        if pair["native"].split("/")[1] != pair["variant"].split(",")[0]:
            words.append(f"over {pair['native']}")
        yield " ".join(words) + (f" ({stem_of(pair['file'])})" if pairs["file"].nunique() > 1 else "")
