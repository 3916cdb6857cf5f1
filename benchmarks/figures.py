# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures that a report gives of result files: ratios, their mean, efficiencies and Pennycook's metric."""
import pathlib
import sys
from statistics import harmonic_mean  # 0 where a value is

from measured import NATIVE, RecordError, best_portable, geometric_mean, load, platform, portability  # noqa: F401: others have them

BEST = "team"  # the best variant by hand
# Who ports an application writes it once in Kokkos, or by hand for each device: one application either way.
SIDES = {"kokkos": "portable", "cuda": "native", "openmp": "native"}


def refuse(message):
    """Ends the program: the command line or an input file is wrong."""
    print(message, file=sys.stderr)
    raise SystemExit(2)


class Run:
    """One result file."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            self.context, self.entries = load(self.path)
        except RecordError as error:
            refuse(error)

    @property
    def on_host(self):
        return self.context.get("backend") != "cuda"

    @property
    def platform(self):
        return platform(self.context)

    def ceiling(self, name):
        return float(self.context.get("ceilings", {}).get(name) or 0)


def application(entry):
    return f"{entry['model']}_{entry['variant']}" + "".join(
        "/" + part for part in entry["name"].split("/") if part.startswith(("league_size:", "team_size:", "stride:")))


def joined(entry):
    """The application that it is on all platforms: CUDA and OpenMP twins are one."""
    return application({**entry, "model": SIDES.get(entry["model"], entry["model"])})


def problem(entry):
    """Algorithm, sizes and type."""
    parts = entry["name"].split("/")
    return "/".join([parts[0]] + [p for p in parts[2:] if not p.startswith(("league_size:", "team_size:", "stride:"))])


def is_native(entry):
    return entry["model"] in NATIVE


def timed(entries):
    return [entry for entry in entries if "ms" in entry]


def ratio_of(entry, entries):
    """Portable over native with its interval, (value, low, high); low and high are None where the file has
    none, and the value is that of the medians where the file has no ratio. None without a twin."""
    if "ms" not in entry or is_native(entry):
        return None
    if "portable_over_native" in entry:
        return (entry["portable_over_native"], entry.get("portable_over_native_low"),
                entry.get("portable_over_native_high"))
    by_hand = BEST if entry["variant"] == best_portable(entries) else entry["variant"]
    for twin in timed(entries):
        if twin["model"] in ("cuda", "openmp") and twin["variant"] == by_hand and problem(twin) == problem(entry):
            return entry["ms"] / twin["ms"], None, None
    return None


def best_ratios(runs):
    """{algorithm: [ratio of the best portable variant]} of all runs; of all pairs where no run has that variant."""
    for best_alone in (True, False):
        ratios = {}
        for run in runs:
            best = {name: best_portable(e for e in run.entries if e["algorithm"] == name)
                    for name in {entry["algorithm"] for entry in run.entries}}
            for entry in run.entries:
                ratio = ratio_of(entry, run.entries)
                if ratio and entry["model"] == "kokkos" and (not best_alone or entry["variant"] == best[entry["algorithm"]]):
                    ratios.setdefault(entry["algorithm"], []).append(ratio[0])
        if ratios:
            return ratios
    return {}


def efficiencies(runs):
    """{problem: {platform: {joined application: (application efficiency, architectural efficiency)}}}. The first is
    the least time of any variant on that problem and platform over this one; the second the least time that
    the measured ceilings allow over it. Both are 0 for what did not run or was wrong. Where two files have
    the same, the later one counts."""
    latest = {}
    for run in runs:
        for entry in run.entries:
            latest.setdefault(problem(entry), {}).setdefault(run.platform, {})[joined(entry)] = entry
    table = {}
    for name, platforms in latest.items():
        for platform, entries in platforms.items():
            best = min((e["ms"] for e in timed(entries.values())), default=0)
            table.setdefault(name, {})[platform] = {
                app: (best / e["ms"], e.get("share_of_ceiling", 0)) if "ms" in e else (0, 0)
                for app, e in entries.items()}
    return table


def pennycook(runs):
    """[(problem, application, metric of the application efficiencies, of the architectural ones)] over all
    platforms of the runs, for problems that were measured on each of them; 0 where a platform has none
    (S. J. Pennycook, J. D. Sewall, V. W. Lee: Implications of a metric for performance portability, 2019)."""
    platforms = platforms_of(runs)
    lines = []
    for name, by_platform in efficiencies(runs).items():
        if set(by_platform) != set(platforms):
            continue
        for app in dict.fromkeys(app for apps in by_platform.values() for app in apps):
            pairs = [by_platform[platform].get(app, (0, 0)) for platform in platforms]
            lines.append((name, app, harmonic_mean([p[0] for p in pairs]), harmonic_mean([p[1] for p in pairs])))
    return lines


def navigation(runs):
    """What the navigation chart of a CPU and a GPU is of, and its dots: none without both, or without a common problem."""
    if len({run.on_host for run in runs}) < 2:
        return "", {}
    rows = portability.efficiencies((run.path, run.platform, problem(entry), entry) for run in runs for entry in run.entries)
    return portability.problems_in(rows), portability.navigation(rows)


def platforms_of(runs):
    return list(dict.fromkeys(run.platform for run in runs))


def troubles(runs):
    """What a reader must know before any number: [(file, what, why)]."""
    found = []
    for run in runs:
        note = lambda what, why, run=run: found.append((run.path.name, what, why))
        if run.context.get("library_build_type") != "release":
            note("the whole file", "not a release build")
        for start in run.context.get("interrupted_runs", []):
            note("the whole file", f"a process that began {start} was interrupted; another went on")
        for entry in run.entries:
            if "ms" not in entry:
                note(entry["name"], str(entry.get("error_message", "no time and no reason")))
            elif entry.get("verified") is not True:
                note(entry["name"], "NOT VERIFIED: " + str(entry.get("reason", "the file does not say that it was")))
            elif entry.get("share_of_ceiling", 0) > 1:
                note(entry["name"], f"{entry['share_of_ceiling']:.2f} of its ceiling: the cache helped, or the ceiling was disturbed")
    return found


def serious(trouble):
    return not trouble[2].startswith("has no ") and "of its ceiling" not in trouble[2]
