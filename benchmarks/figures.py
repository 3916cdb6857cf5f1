# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures that a report gives of result files: ratios, their mean, efficiencies and Pennycook's metric."""
import json
import math
import pathlib
import sys
import zlib

from measured import NATIVE, load

BEST = "team"  # the variant that is the best portable one, and its hand-written twin


def refuse(message):
    """Ends the program: the command line or an input file is wrong."""
    print(message, file=sys.stderr)
    raise SystemExit(2)


def why_not(path, error):
    """What is wrong with a file that could not be loaded, in words."""
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    if isinstance(error, (OSError, EOFError, zlib.error)):
        return "is no whole gzip file"
    if path.stat().st_size == 0:
        return "is empty"
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON: {error}"
    if isinstance(error, UnicodeDecodeError):
        return "is not JSON: it is no text"
    if isinstance(error, KeyError):
        return f"is JSON, but not what --json writes: '{error.args[0]}' is missing"
    return f"is JSON, but not what --json writes: {error}"


class Run:
    """One result file."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            self.context, self.entries = load(self.path)
            if "ado_version" not in self.context:
                raise KeyError("ado_version")
            check_context(self.context)
            for entry in self.entries:
                check(entry)
        except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError) as error:
            refuse(f"{path}: {why_not(self.path, error)}; name a file that miniapp --json FILE wrote")

    @property
    def on_host(self):
        return self.context.get("backend") != "cuda"

    @property
    def platform(self):
        """As --p3-csv names it: OpenMP with two threads is another platform on another processor."""
        device = self.context.get("device", "unknown device")
        return f"{self.context.get('cpu', 'unknown CPU')}, {device}" if self.on_host else device

    def ceiling(self, name):
        return float(self.context.get("ceilings", {}).get(name) or 0)


NUMBERS = ("ms", "bytes", "flops", "share_of_ceiling", "portable_over_native", "portable_over_native_low",
           "portable_over_native_high", "speedup", "speedup_low", "speedup_high", "first_quartile_seconds",
           "third_quartile_seconds")


def check_text(value, what):
    """One that a terminal shows and does not obey."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is no text")
    if not value.isprintable():
        raise ValueError(f"{what} has control characters")


def check_number(value, what):
    """Between 0 and 1e30, beyond anything that a machine does: figures of such numbers stay finite."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{what} is no number")
    if not 0 <= value <= 1e30:
        raise ValueError(f"{what} is not between 0 and 1e30")


def check(entry):
    """Text is text and numbers are numbers: all that follows relies on it."""
    for key in ("name", "algorithm", "variant", "model", "type"):
        check_text(entry[key], key)
    for key in ("error_message", "reason", "limiter_estimated"):
        check_text(entry.get(key, "").replace("\n", " "), key)
    if entry["name"].count("/") < 2:
        raise ValueError(f"{entry['name']!r} names no algorithm, variant and type")
    for key in NUMBERS:
        if key in entry:
            check_number(entry[key], f"{key} of {entry['name']}")
    if "first_quartile_seconds" in entry and "third_quartile_seconds" not in entry:
        raise KeyError("third_quartile_seconds")
    for key in ("portable_over_native", "speedup"):
        if key in entry and entry[key] == 0:
            raise ValueError(f"{key} of {entry['name']} is 0")
    if "ms" in entry and not 1e-12 < entry["ms"] < 1e15:
        raise ValueError(f"a time of {entry['name']} is not above 0, or no machine lives so long")


def check_context(context):
    """The same of what the file says of the run."""
    for key in ("ado_version", "backend", "device", "cpu", "host_name", "date", "library_build_type"):
        check_text(context.get(key, ""), f"context.{key}")
    for key in ("ceilings", "device_facts", "environment"):
        if not isinstance(context.get(key, {}), dict):
            raise ValueError(f"context.{key} is no object")
    for key in ("command_line", "interrupted_runs", "warnings"):
        if not isinstance(context.get(key, []), list):
            raise ValueError(f"context.{key} is no list")
    for key, value in context.get("ceilings", {}).items():
        if value is not None and key != "measured":
            check_number(value, f"context.ceilings.{key}")


def application(entry):
    return f"{entry['model']}_{entry['variant']}" + "".join(
        "/" + part for part in entry["name"].split("/") if part.startswith(("league_size:", "team_size:", "stride:")))


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
    for twin in timed(entries):
        if twin["model"] in ("cuda", "openmp") and twin["variant"] == entry["variant"] and problem(twin) == problem(entry):
            return entry["ms"] / twin["ms"], None, None
    return None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def best_ratios(runs):
    """{algorithm: [ratio of kokkos/team]} of all runs; of all pairs where no run has that variant."""
    for wanted in (lambda e: e["variant"] == BEST, lambda e: True):
        ratios = {}
        for run in runs:
            for entry in run.entries:
                ratio = ratio_of(entry, run.entries)
                if ratio and entry["model"] == "kokkos" and wanted(entry):
                    ratios.setdefault(entry["algorithm"], []).append(ratio[0])
        if ratios:
            return ratios
    return {}


def efficiencies(runs):
    """{problem: {platform: {application: (application efficiency, architectural efficiency)}}}. The first is
    the least time of any variant on that problem and platform over this one; the second the least time that
    the measured ceilings allow over it. Both are 0 for what did not run or was wrong. Where two files have
    the same, the later one counts."""
    latest = {}
    for run in runs:
        for entry in run.entries:
            latest.setdefault(problem(entry), {}).setdefault(run.platform, {})[application(entry)] = entry
    table = {}
    for name, platforms in latest.items():
        for platform, entries in platforms.items():
            best = min((e["ms"] for e in timed(entries.values())), default=0)
            table.setdefault(name, {})[platform] = {
                app: (best / e["ms"], e.get("share_of_ceiling", 0)) if "ms" in e else (0, 0)
                for app, e in entries.items()}
    return table


def harmonic_mean(values):
    return len(values) / sum(1 / v for v in values) if values and all(values) else 0


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
