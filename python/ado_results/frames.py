# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records as DataFrames."""
import os

import numpy as np
import pandas as pd

from . import portability
from .portability import WAYS, verdict
from .record import NATIVE, RecordError, load, platform

# Google Benchmark's own, and those of a single repetition.
LEFT_OUT = ("run_name", "run_type", "threads", "repetition_index", "real_time", "cpu_time", "time_unit", "sizes")
LAUNCH = ("league_size", "team_size", "stride")
WHAT = ["file", "machine", "date", "ado_commit", "row", "algorithm", "model", "variant", "side", "type"]
OF_PORTABILITY = ["file", "machine", "name", "algorithm", "model", "variant", "type", "native", "ms", "portable_over_native",
                  "verified", "share_of_ceiling", "kernel_lines", "kernel_lines_of_one_backend"]
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


def summary(frame):
    """A row for each portable variant and case, beside the native one that ran in turn with it (`native`): times in ms,
    their ratio `portable_over_native` with its 95 % interval `low` to `high` and the `verdict`, the share of the ceiling
    of both, and what limits the portable one. Ratios and intervals are those of the record; nothing is estimated anew.
    Without a twin the native columns are empty; `error_message` says why there is no time. Where `shared_kernel` names a
    header, both run its kernel."""
    full = with_launch(frame).assign(problem=frame["name"].map(problem_of)).rename(columns={
        "portable_over_native_low": "low", "portable_over_native_high": "high", "limiter_estimated": "limiter"})
    both = full[full["side"] == "portable"].merge(
        full.loc[full["side"] == "native", ["file", "row", "ms", "share_of_ceiling", "verified"]], on=["file", "row"],
        how="left", suffixes=("", "_native"))
    if "shared_kernel" not in both: # no kernel is
        both["shared_kernel"] = None
    ratio = ["portable_over_native", "low", "high"]
    both[ratio] = both[ratio].astype(float)
    both["verdict"] = [verdict(*values) for values in both[ratio].to_numpy()]
    both["verified"] = both["verified"].eq(True) & both["verified_native"].ne(False)
    both = both.rename(columns={"ms": "portable_ms", "ms_native": "native_ms", "share_of_ceiling": "portable_share",
                                "share_of_ceiling_native": "native_share"})
    return both[["file", "machine", "algorithm", "model", "variant", "type", *sizes_in(frame["name"]), "problem", "native",
                 "shared_kernel", "portable_ms", "native_ms", *ratio, "verdict", "portable_share", "native_share", "limiter",
                 "verified", "error_message"]]


def ways(frame):
    """What each way to write Kokkos costs: a row for each machine and problem, and columns `plain`, `team` (one source) and
    `tuned` (kernels for each backend), each the time over the best by hand. The last row of each machine has its geometric
    means, without problems where both run one kernel, unless all do. A way that was not run, or was wrong, has no figure."""
    pairs = summary(frame)
    pairs = pairs[pairs["model"].eq("kokkos") & pairs["variant"].isin(WAYS) & pairs["verified"]]
    table = pairs.pivot_table(index=["machine", "problem"], columns="variant", values="portable_over_native", aggfunc="median",
                              sort=False).reindex(columns=list(WAYS)).rename_axis(columns=None)
    shared = pairs[pairs["shared_kernel"].notna()].pivot_table(
        index=["machine", "problem"], columns="variant", values="portable_over_native").reindex_like(table).notna()
    own = table.mask(shared)
    of_machine = dict(level="machine", sort=False)
    logs = np.log(own.where(own.notna().groupby(**of_machine).transform("any"), table))
    means = np.exp(logs.groupby(**of_machine).mean())
    means.index = pd.MultiIndex.from_product([means.index, ["geometric mean"]], names=table.index.names)
    machines = table.index.unique("machine")
    return pd.concat([part.loc[[machine]] for machine in machines for part in (table, means)])


def answers(frame):
    """What the end of each run said of `plain`, `team` and `tuned`: a row for each file and way, with the geometric mean `value` of
    the time over the best by hand, its interval `low` to `high`, and the `answer` in words. In doubt that is "undecided" or
    "no answer", and `value` is not to be quoted. Empty where a file has fewer than two ways."""
    rows = [(file, way, *answer) for file, entries in frame.groupby("file", sort=False) for way, answer in portability.answers(
        {key: value for key, value in row.items() if np.ndim(value) or pd.notna(value)}
        for row in entries.to_dict("records")).items()]
    return pd.DataFrame(rows, columns=["file", "way", "value", "low", "high", "answer"]).set_index(["file", "way"])


def efficiencies(frame):
    """The rows of portability.py, of a frame of several machines."""
    if frame["machine"].nunique() < 2:
        raise ValueError(f"the frame holds one machine, {frame['machine'].iloc[0]}; read the records of a CPU and a GPU together")
    entries = [{key: value for key, value in row.items() if pd.notna(value)}
               for row in frame.reindex(columns=OF_PORTABILITY).to_dict("records")]
    rows = portability.efficiencies((entry["file"], entry["machine"], problem_of(entry["name"]), entry) for entry in entries)
    if not rows:
        raise ValueError("no problem was measured on all machines; give the mini-app the same --sizes on each")
    return rows


def navigation(frame):
    """Where each way to write a kernel stands on a navigation chart: a row for plain, team, tuned and by hand. `phi` is
    Pennycook's metric, the harmonic mean of the application efficiency over all machines and problems; 0 where one of them
    is not supported or wrong. `convergence` is the share of source lines that both backends compile; it is missing where
    the records have no line counts, and by hand it is 0 then. A column for each machine has its efficiency there.

    Application efficiency is the least time of these ways over that of one of them, on one machine and problem. A problem has
    the same sizes on all machines; where each has one size of an algorithm and type, the sizes may differ."""
    return pd.DataFrame.from_dict(portability.navigation(efficiencies(frame)), orient="index").astype(float).rename_axis("way")


def p3(frame):
    """The same as input of the p3-analysis-library: a row for each problem, platform and way, with the columns that its
    functions ask for. `fom` is the time in seconds, so foms="lower"; `app eff` and `arch eff` are efficiencies, and 0 where a
    way did not run or was wrong; `divergence` is 1 - convergence. Its pp() and navchart() take one problem at a time."""
    table = pd.DataFrame(efficiencies(frame)).rename(columns={"way": "application", "seconds": "fom"})
    table["divergence"] = 1 - table["convergence"].astype(float)
    return table[["fom", "application", "problem", "platform", "app eff", "arch eff", "divergence"]]
