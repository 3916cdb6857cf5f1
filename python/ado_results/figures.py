# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The usual figures. Each draws into `ax`, or into a new figure, and returns the axes."""
import numpy as np

from .frames import problem_of, summary
from .record import COLOURS

NEAR = 0.01  # differences below this matter to nobody, as in the mini-app
VERDICTS = {"slower": "#b0413e", "faster": "#3a8f4d", "same": "#444444", "inconclusive": "#999999"}


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


def plain(ax):
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def ladder(frame, ax=None):
    """Bars: the share of the ceiling that each rung of an algorithm reaches, portable beside native. Of several problems
    it draws the one that moves most bytes. Where a variant was measured in several rows, the bar is their median."""
    for column in ("algorithm", "file"):
        one(frame, column)
    name = frame.sort_values("bytes", kind="stable")["name"].iloc[-1]
    frame = frame[frame["name"].map(problem_of) == problem_of(name)]
    rungs = list(dict.fromkeys(frame["variant"]))
    ax = axes_of(ax, 7, 1.3 + 0.5 * len(rungs))
    shares = frame.groupby(["side", "variant"])["share_of_ceiling"].median()
    for side, shift in (("portable", -0.2), ("native", 0.2)):
        places = [(place, shares.get((side, rung), np.nan)) for place, rung in enumerate(rungs)]
        bars = ax.barh([place + shift for place, _ in places], [share for _, share in places], 0.38, color=COLOURS[side], label=side)
        ax.bar_label(bars, ["" if np.isnan(share) else f"{share:.2f}" for _, share in places], padding=3, fontsize="small")
    for _, failed in frame[frame["ms"].isna()].iterrows():
        shift = -0.2 if failed["side"] == "portable" else 0.2
        ax.text(0.005, rungs.index(failed["variant"]) + shift, failed["error_message"], va="center", fontsize="small", color=VERDICTS["slower"])
    ax.axvline(1, color="#888888", linewidth=1, zorder=0)
    ax.set_yticks(range(len(rungs)), rungs)
    ax.invert_yaxis()
    ax.margins(x=0.12)
    ax.set_xlabel("share of the ceiling")
    ax.set_title(f"{problem_of(name)}\n{one(frame, 'machine')}", fontsize="medium")
    ax.legend(loc="best", frameon=False)
    return plain(ax)


def sweep(frame, y="share_of_ceiling", x="bytes", ax=None):
    """A line for each variant over the size of the problem. `y` is "share_of_ceiling", or "portable_over_native", with its
    interval; `x` is "bytes" or a size, say "rows"."""
    frame = frame[frame[y].notna() & frame[x].notna()] if y in frame else frame[:0]
    if frame.empty:
        raise ValueError(f"the frame has no {y} over {x}")
    ax = axes_of(ax, 7, 4.2)
    parts = [column for column in ("machine", "algorithm", "model", "variant", "type") if frame[column].nunique() > 1] or ["variant"]
    wanted = [y] if y != "portable_over_native" else [y, f"{y}_low", f"{y}_high"]
    for key, line in frame.groupby(parts, sort=False):
        line = line.astype({x: float}).groupby(x)[wanted].median()
        drawn, = ax.plot(line.index, line[y], marker="o", markersize=4, label=" ".join(np.atleast_1d(key)))
        if len(wanted) > 1:
            ax.fill_between(line.index, line[wanted[1]], line[wanted[2]], color=drawn.get_color(), alpha=0.2, linewidth=0)
    ax.axhline(1, color="#888888", linewidth=1, zorder=0)
    ax.set_xscale("log")
    ax.set_xlabel("bytes moved" if x == "bytes" else x)
    ax.set_ylabel({"share_of_ceiling": "share of the ceiling", "portable_over_native": "time, portable over native"}.get(y, y))
    ax.set_title(", ".join(str(frame[column].iloc[0]) for column in ("algorithm", "type", "machine") if column not in parts),
                 fontsize="medium")
    ax.legend(frameon=False, fontsize="small")
    return plain(ax)


def ratios(frame, ax=None):
    """The ratio of each pair, time of the portable over the native variant, with its 95 % interval, and a line at 1. An
    interval that is far wider than the ratios lie apart leaves the picture."""
    pairs = summary(frame).dropna(subset=["portable_over_native"])
    if pairs.empty:
        raise ValueError("the frame has no pair of a portable and a native variant")
    ax = axes_of(ax, 8, 1.3 + 0.28 * len(pairs))
    machines = pairs["machine"].nunique() > 1
    for place, pair in enumerate(pairs.itertuples()):
        colour = VERDICTS[pair.verdict]
        ax.plot([pair.low, pair.high], [place, place], color=colour, linewidth=2)
        ax.plot(pair.portable_over_native, place, "o", color=colour, markerfacecolor="white" if pair.verdict == "inconclusive" else colour)
    values = pairs["portable_over_native"]
    ax.set_xscale("log")
    ax.set_xlim(min(0.95, values.min() / 1.1), max(1.05, values.max() * 1.1))
    ax.axvspan(1 / (1 + NEAR), 1 + NEAR, color="#888888", alpha=0.15, linewidth=0)
    ax.axvline(1, color="#888888", linewidth=1, zorder=0)
    ax.set_yticks(range(len(pairs)), [
        f"{pair.problem}: {pair.model}/{pair.variant} over {pair.native}" + (f" ({pair.machine})" if machines else "")
        for pair in pairs.itertuples()], fontsize="small")
    ax.invert_yaxis()
    ax.set_xlabel("time, portable over native")
    for word, colour in VERDICTS.items():
        ax.plot([], [], "o", color=colour, markerfacecolor="white" if word == "inconclusive" else colour, label=word)
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    return plain(ax)
