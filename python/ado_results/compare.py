# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two runs, or several runs of each, as `miniapp compare` compares them, without the program. The rules are those of
lib/ado/bench/stats, and a test holds both to the same numbers."""
import math
import warnings
from statistics import NormalDist

import numpy as np
import pandas as pd

from .frames import sizes_in, verdict

MOST_GROUPS = 128
CONDITIONS = ["cold_cache", "kokkos_tool", "streamed"]


def compare(before, after, least=None):
    """A row for each variant and case of two frames of read(): medians in ms, `ratio`, the time after over the time before
    (Hodges-Lehmann), its interval `low` to `high` (Mann-Whitney) and `verdict`. Without a ratio `why` says why.

    One file on each side: each repetition is a sample, the interval is of 95 %, widened for noise that lasts, and `least` is 0.05,
    because two runs of one program differ by some per cent for no reason that either shows. Several files on a side: they
    are runs of one program on one machine, each is a sample, and `least` is 0.01; the interval is of 99 %, which two sides of
    four do not have.
    Where both sides have a native variant that ran in turn, `ratio` is that of the times over its times; that variant itself
    is not judged, its `verdict` is "reference". Assumed is that samples are independent, but for the noise that is allowed for; of their distribution nothing."""
    several = False
    for frame, which in ((before, "before"), (after, "after")):
        several |= frame["file"].nunique() > 1
        for what in ("machine", "ado_commit"):
            if frame[what].nunique() > 1:
                kinds = " and ".join(map(str, frame[what].unique()))
                raise ValueError(f"{which}: holds runs of several kinds, {what} is {kinds}; "
                                 f"select one: {which}[{which}.{what} == ...]")
    machines = [frame["machine"].iloc[0] for frame in (before, after)]
    if machines[0] != machines[1]:
        warnings.warn(f"the machines differ: {machines[0]} before, {machines[1]} after", stacklevel=2)
    least = (0.01 if several else 0.05) if least is None else least
    sides = [dict(list(with_ratios(frame).groupby("name", sort=False))) for frame in (before, after)]
    files = [frame["file"].nunique() for frame in (before, after)]
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    what = ["name", "algorithm", "model", "variant", "type", *sizes_in(names)]
    rows = []
    for name in names:
        cases = [side.get(name) for side in sides]
        known = next(case for case in cases if case is not None).iloc[0]
        rows.append({**known.reindex(what), **row_of(name, cases, files, several, least)})
    result = pd.DataFrame(rows, columns=[*what, "before_ms", "after_ms", "ratio", "low", "high", "verdict", "why"])
    result[sizes_in(names)] = result[sizes_in(names)].astype("Int64")
    return result


def row_of(name, cases, files, several, least):
    samples = []
    for case, count, which in zip(cases, files, ("before", "after")):
        if case is None:
            return {"why": f"not {which}"}
        if case["seconds"].isna().any():
            return {"why": f"{which}: {next(iter(case['error_message'].dropna()), 'no time')}"}
        if case["file"].nunique() < count:
            return {"why": f"{which}: not in every file"}
        samples.append([np.concatenate(list(rows)) for _, rows in case.groupby("file", sort=False)["seconds"]])
    conditions = [conditions_of(case) for case in cases]
    if len(set().union(*conditions)) > 1:
        raise ValueError(f"{name}: times hold different things, {' and '.join(sorted(set().union(*conditions)))}; "
                         "compare runs with the same options")
    def of_sides(samples):
        return [[np.median(run) for run in side] if several else side[0] for side in samples]
    a, b = compared = of_sides(samples)
    over_native = [[list(rows.dropna()) for _, rows in case.groupby("file", sort=False)["over_native"]] for case in cases]
    if all(all(side) for side in over_native):
        compared = of_sides([[np.concatenate(rows) for rows in side] for side in over_native])
    ratio = rank_sum_ratio(*compared, confidence=0.99) if several else unpaired_ratio(*compared)
    is_reference = all(case.groupby("file")["is_reference"].any().all() for case in cases)
    return {"before_ms": np.median(a) * 1e3, "after_ms": np.median(b) * 1e3, **dict(zip(("ratio", "low", "high"), ratio)),
            "verdict": "reference" if is_reference else verdict(*ratio, least)}


def with_ratios(frame):
    """The frame with `over_native`, the times of a portable variant over those of the native one that ran in turn with it, and
    `is_reference`, whether a row is that native one."""
    pairs = {}
    for row in frame[["file", "row", "side", "native", "seconds"]].itertuples(index=False):
        pairs.setdefault((row.file, row.row), {})[row.side] = row
    ratios, references = [], []
    for file, row, side in frame[["file", "row", "side"]].itertuples(index=False):
        portable, native = (pairs[file, row].get(which) for which in ("portable", "native"))
        in_turn = (portable is not None and native is not None and isinstance(portable.native, str)
                   and np.size(portable.seconds) == np.size(native.seconds))
        ratios.append(np.asarray(portable.seconds) / np.asarray(native.seconds) if in_turn and side == "portable" else None)
        references.append(in_turn and side == "native")
    return frame.assign(over_native=pd.Series(ratios, index=frame.index, dtype=object), is_reference=references)


def conditions_of(case):
    """Of each row of a case: what its times hold besides the kernel."""
    held = case[CONDITIONS].notna() & case[CONDITIONS].ne(False)
    return {", ".join(column for column in CONDITIONS if row[column]) or "nothing special" for _, row in held.iterrows()}


def unpaired_ratio(a, b):
    a, b = medians_of_groups(a), medians_of_groups(b)
    value, low, high = rank_sum_ratio(a, b)
    factor = max(widening(a), widening(b))
    if not math.isfinite(factor):
        return value, np.nan, np.nan
    return value, value * (low / value) ** factor, value * (high / value) ** factor


def rank_sum_ratio(a, b, confidence=0.95):
    differences = np.sort(np.subtract.outer(np.log(b), np.log(a)), axis=None)
    below = differences_below(len(a), len(b), (1 - confidence) / 2)
    ends = np.exp([differences[below - 1], differences[-below]]) if below else (np.nan, np.nan)
    return np.exp(np.median(differences)), *ends


def differences_below(n, m, tail):
    """The largest k with P(U < k) <= tail, U being Mann and Whitney's. Few samples: all orders are counted, by the
    coefficients of the product of (1 - q^(m+i)) / (1 - q^i). Many: by the normal distribution."""
    if math.comb(n + m, n) > 2**46:
        return max(0, math.floor(n * m / 2 + NormalDist().inv_cdf(tail) * math.sqrt(n * m * (n + m + 1) / 12)))
    ways = np.zeros(n * m + 1)
    ways[0] = 1
    for i in range(1, n + 1):
        if m + i <= n * m:
            ways[m + i:] -= ways[:-m - i].copy()
        for u in range(i, n * m + 1):
            ways[u] += ways[u - i]
    return int(np.searchsorted(np.cumsum(ways), tail * math.comb(n + m, n), side="right"))


def medians_of_groups(values):
    size = -(-len(values) // MOST_GROUPS)
    return [np.median(values[begin:begin + size]) for begin in range(0, len(values), size)]


def widening(values):
    """By how much an interval has to be wider, for neighbours in time may depend on each other: widening() of
    lib/ado/bench/stats/statistics.hpp."""
    n = len(values)
    if n < 2:
        return math.inf
    ranks = pd.Series(values).rank().to_numpy()
    off = ranks - ranks.mean()
    estimate = max(0, (off[1:] * off[:-1]).sum() / ((off * off).sum() or 1))
    unbiased = min(1, estimate + (1 + 3 * estimate) / n)
    deviations = 0.85 + (3.4 - 0.85) * min(max((estimate * math.sqrt(n) - 0.4) / 0.9, 0), 1)
    correlation = min(unbiased + deviations * math.sqrt((1 - unbiased**2) / n), 0.95)
    distance = np.arange(1, n)
    variance = 1 + 2 * ((1 - distance / n) * correlation**distance).sum()
    return math.sqrt(variance * (n - 1) / (n - variance))
