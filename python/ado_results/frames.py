# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records as DataFrames."""
import os

import numpy as np
import pandas as pd

from .record import NATIVE, RecordError, load, platform

# Google Benchmark's own, and those of a single repetition.
LEFT_OUT = ("run_name", "run_type", "threads", "repetition_index", "real_time", "cpu_time", "time_unit", "sizes")
LAUNCH = ("league_size", "team_size", "stride")
WHAT = ["file", "machine", "date", "ado_commit", "row", "algorithm", "model", "variant", "side", "type"]
WAYS = ("plain", "team", "tuned")
# In each frame, though no side of its files has them.
ALWAYS = ["ms", "portable_over_native", "portable_over_native_low", "portable_over_native_high", "native", "share_of_ceiling",
          "limiter_estimated", "verified", "error_message", "bytes", "cold_cache", "kokkos_tool", "streamed", "seconds"]


def read(paths):
    """A DataFrame of one file of `miniapp --json`, or of a list of them: .json or .json.gz. It has a row for each side of
    each row of the table, in its order. A native twin of several portable variants has several rows.

    Columns: `file`; `machine`, `date` and `ado_commit` of the run; `row`, alike for two that ran in turn; `side`, portable
    or native; each size by its name; then the record's fields as they are (`miniapp explain record`). `seconds` has the
    times of all repetitions, `ms` is their median, and `bytes_per_second` is over that. `frame.attrs["context"][file]` is
    the rest of a file: ceilings, compiler, command line. A file that is no record raises RecordError."""
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not paths:
        raise ValueError("read() was given no file: look at the pattern that should have found some")
    rows, contexts = [], {}
    for path in map(os.fspath, paths):
        contexts[path], sides = load(path)
        if not sides:
            raise RecordError(f"{path}: holds no results; run the mini-app again")
        rows += rows_of(path, contexts[path], sides)
    frame = pd.DataFrame(rows)
    sizes = sizes_in(frame["name"])
    frame = frame.reindex(columns=list(dict.fromkeys([*WHAT, *sizes, *ALWAYS, *frame])))
    frame[sizes] = frame[sizes].astype("Int64")  # whole, though an algorithm lacks the sizes of others
    frame.attrs["context"] = contexts
    return frame


def rows_of(path, context, sides):
    run = {"file": path, "machine": platform(context), "date": context.get("date"), "ado_commit": context.get("ado_commit")}
    row, portable = -1, {}
    for side in sides:
        is_native = side["model"] in NATIVE
        if not is_native or portable.get("native") != f"{side['model']}/{side['variant']}":
            row += 1
        portable = {} if is_native else side
        fields = {key: value for key, value in side.items() if key not in LEFT_OUT}
        if "ms" in side:
            fields.update(seconds=np.array(side["seconds"]), bytes_per_second=side.get("bytes", np.nan) / side["ms"] * 1e3)
        try:
            sizes = {key: int(value) for key, value in parts_of(side["name"]).items() if key not in ("type", *LAUNCH)}
        except ValueError:
            raise RecordError(f"{path}: {side['name']!r} has no sizes; name a file that miniapp --json FILE wrote") from None
        yield {**fields, **run, **sizes, "row": row, "side": "native" if is_native else "portable"}


def parts_of(name):
    """{"rows": "4096", "type": "f64"}. Files from before November 2026 have sizes nowhere else."""
    return {key: value for key, _, value in (part.partition(":") for part in name.split("/")[2:])}


def sizes_in(names):
    keys = dict.fromkeys(key for name in dict.fromkeys(names) for key in parts_of(name))
    return [key for key in keys if key not in ("type", *LAUNCH)]


def problem_of(name):
    """What it is about: "yax f64, rows 4096, cols 4096"."""
    parts = parts_of(name)
    return ", ".join([f"{name.split('/')[0]} {parts.get('type', '')}", *(f"{key} {parts[key]}" for key in sizes_in([name]))])


def with_launch(frame):
    """Variants that ran with several launch parameters have these in their names: "strided, stride 8"."""
    launch = [[f"{key} {value}" for key, value in parts_of(name).items() if key in LAUNCH] for name in frame["name"]]
    return frame.assign(variant=[", ".join([variant, *words]) for variant, words in zip(frame["variant"], launch)])


def verdict(value, low, high, least=0.01):
    """As the mini-app has it: slower, faster, same or inconclusive; None without a ratio."""
    if np.isnan(value):
        return None
    if low > 1 and value >= 1 + least:
        return "slower"
    if high < 1 and value <= 1 / (1 + least):
        return "faster"
    return "same" if low > 1 / (1 + least) and high < 1 + least else "inconclusive"


def summary(frame):
    """A row for each portable variant and case, beside the native one that ran in turn with it (`native`): times in ms,
    their ratio `portable_over_native` with its 95 % interval `low` to `high` and the `verdict`, the share of the ceiling
    of both, and what limits the portable one. Ratios and intervals are those of the record; nothing is estimated anew.
    Without a twin the native columns are empty; `error_message` says why there is no time."""
    full = with_launch(frame).assign(problem=frame["name"].map(problem_of)).rename(columns={
        "portable_over_native_low": "low", "portable_over_native_high": "high", "limiter_estimated": "limiter"})
    both = full[full["side"] == "portable"].merge(
        full.loc[full["side"] == "native", ["file", "row", "ms", "share_of_ceiling", "verified"]], on=["file", "row"],
        how="left", suffixes=("", "_native"))
    ratio = ["portable_over_native", "low", "high"]
    both[ratio] = both[ratio].astype(float)
    both["verdict"] = [verdict(*values) for values in both[ratio].to_numpy()]
    both["verified"] = both["verified"].eq(True) & both["verified_native"].ne(False)
    both = both.rename(columns={"ms": "portable_ms", "ms_native": "native_ms", "share_of_ceiling": "portable_share",
                                "share_of_ceiling_native": "native_share"})
    return both[["file", "machine", "algorithm", "model", "variant", "type", *sizes_in(frame["name"]), "problem", "native",
                 "portable_ms", "native_ms", *ratio, "verdict", "portable_share", "native_share", "limiter", "verified",
                 "error_message"]]


def ways(frame):
    """What each way to write Kokkos costs: a row for each machine and problem, and columns `plain`, `team` (one source) and
    `tuned` (kernels for each backend), each the time over the best by hand. The last row of each machine has its geometric
    means. A way that was not run, or was wrong, has no figure."""
    pairs = summary(frame)
    pairs = pairs[pairs["model"].eq("kokkos") & pairs["variant"].isin(WAYS) & pairs["verified"]]
    table = pairs.pivot_table(index=["machine", "problem"], columns="variant", values="portable_over_native", aggfunc="median",
                              sort=False).reindex(columns=list(WAYS)).rename_axis(columns=None)
    means = np.exp(np.log(table).groupby(level="machine", sort=False).mean())
    means.index = pd.MultiIndex.from_product([means.index, ["geometric mean"]], names=table.index.names)
    machines = table.index.unique("machine")
    return pd.concat([part.loc[[machine]] for machine in machines for part in (table, means)])
