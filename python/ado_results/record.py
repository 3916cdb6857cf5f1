# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file that `miniapp --json` wrote: read, checked, and cut into sides. Needs Python alone, for `./ado report` and the
other programs of benchmarks/ read with it too."""
import gzip
import json
import math
import pathlib
import statistics
import zlib

NATIVE = ("cuda", "openmp", "serial", "vendor", "torch")
COLOURS = {"portable": "#1f5fa8", "native": "#e08a1e", "kokkos_kernels": "#3a8f4d", "vendor": "#b0413e",
           "eigen": "#17858c", "torch": "#7b4fa3"}
VERSION = 1  # of the format: record_version
MOST_BYTES = 256 << 20  # of a record without compression, as `miniapp compare` reads it

# What is of which kind in the entries, as lib/ado/bench/report names it. A field that is not here is nobody's business.
TEXTS = ("name", "run_name", "run_type", "algorithm", "model", "variant", "type", "backend", "native", "shared_kernel",
         "reference", "reason", "limiter_estimated", "library", "stopped_by", "error_message", "time_unit", "no_launches",
         "no_stages")
NUMBERS = ("real_time", "cpu_time", "bytes", "flops", "bytes_per_second", "median_seconds", "first_quartile_seconds",
           "third_quartile_seconds", "least_seconds", "share_of_ceiling", "portable_over_native", "portable_over_native_low",
           "portable_over_native_high", "speedup", "speedup_low", "speedup_high", "seconds_with_transfers",
           "share_of_error_bound", "predicted_share_of_ceiling", "predicted_sectors_per_load_request",
           "predicted_sectors_per_store_request", "predicted_excessive_sectors_share", "predicted_bank_conflict_ways",
           "predicted_shared_efficiency", "sent_bytes", "bus_bytes_per_second", "share_of_exchange", "skew")
COUNTS = ("threads", "repetitions", "repetition_index", "iterations", "distinct_outputs", "witness_elements", "team_size",
          "league_size", "stride", "kernel_lines", "kernel_lines_of_one_backend")
FLAGS = ("verified", "error_occurred", "cold_cache", "kokkos_tool", "may_stay_in_cache")
OBJECTS = ("sizes", "streamed", "stages")
LISTS = ("launches", "rank_seconds")
OF_THE_RUN = ("cold_cache", "kokkos_tool")


def stem_of(path):
    """The name of a record without its ending."""
    return pathlib.Path(path).name.removesuffix(".gz").removesuffix(".json")


class RecordError(ValueError):
    """A file is no record: which, what is wrong with it, and what to do."""


def load(path):
    """The context of a record, which may be compressed (.gz), and its sides, as sides_of makes them."""
    context, rows = load_rows(path)
    return context, [measured(row) for row in rows]


def load_rows(path):
    """The same with the entries of each repetition, as rows_of makes them."""
    path = pathlib.Path(path)
    try:
        results = json.loads(bytes_of(path))
        context, rows = results["context"], rows_of(results)
        if "ado_version" not in context:
            raise KeyError("ado_version")
        check_context(context)
        check(rows, "torch" in context)
        for row in rows:
            measured(row)
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError, OverflowError,
            RecursionError) as error:
        raise RecordError(f"{path}: {why_not(path, error)}; name a file that miniapp --json FILE wrote") from None
    return context, rows


def bytes_of(path):
    """A few bytes of a .gz may be gigabytes: neither is read beyond the bound."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"it is larger than {MOST_BYTES >> 20} MiB")
    return data


def sides_of(results):
    """A dictionary for each variant in each row of the table, in its order: the first entry, which has what is known of
    all repetitions, with "seconds" of each and their median "ms". What was not measured has neither."""
    return [measured(row) for row in rows_of(results)]


def rows_of(results):
    """The entries of each variant in each row of the table."""
    if not isinstance(results["benchmarks"], list):
        raise ValueError("benchmarks is no list")
    rows = []
    for entry in results["benchmarks"]:
        if (not rows or entry["name"] != rows[-1][-1]["name"] or entry.get("repetition_index") == 0
                or "error_occurred" in entry or "error_occurred" in rows[-1][-1]):
            rows.append([])
        rows[-1].append(entry)
    return rows


def measured(side):
    times = [entry["real_time"] for entry in side if "real_time" in entry]
    return dict(side[0], ms=statistics.median(times), seconds=[time / 1e3 for time in times]) if times else dict(side[0])


def platform(context):
    """OpenMP with two threads is another platform on another processor."""
    device = context.get("device", "unknown device")
    return device if context.get("backend") == "cuda" else f"{context.get('cpu', 'unknown CPU')}, {device}"


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


def check_kinds(entry):
    """Text is text and numbers are numbers: all that follows relies on it. JSON has no NaN, which the error of a wrong result
    may be: it is null."""
    for key in ("name", "algorithm", "variant", "model", "type", "verified"):
        if key not in entry:
            raise KeyError(key)
    of = entry["name"]
    for key in TEXTS:
        if key in entry:
            check_text(entry[key].replace("\n", " ") if isinstance(entry[key], str) else entry[key], key)
    for key in NUMBERS:
        if key in entry and not (key == "share_of_error_bound" and entry[key] is None and "error_occurred" in entry):
            check_number(entry[key], f"{key} of {of}")
    for keys, kind, words in ((COUNTS, int, "whole number"), (FLAGS, bool, "true or false"), (OBJECTS, dict, "object"),
                              (LISTS, list, "list")):
        for key in keys:
            if key in entry and (type(entry[key]) is not kind or kind is int and not 0 <= entry[key] < 2**63):
                raise ValueError(f"{key} of {of} is no {words}")


def near(a, b):
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def quantile(values, part):
    """As the mini-app has it: linear between neighbours."""
    values, place = sorted(values), part * (len(values) - 1)
    below = int(place)
    return values[below] + (place - below) * (values[min(below + 1, len(values) - 1)] - values[below])


def says_what_it_is(entries):
    """A name is algorithm/model_variant/sizes/type, and fields say all of that again."""
    for entry in entries:
        algorithm, variant, *parts = entry["name"].split("/")
        said = dict(part.partition(":")[::2] for part in parts)
        if ((algorithm, variant, said.get("type")) != (entry["algorithm"], f"{entry['model']}_{entry['variant']}", entry["type"])
                or any(said.get(key) != str(size) for key, size in entry.get("sizes", {}).items())
                or entry.get("run_name", entry["name"]) != entry["name"]):
            return False
    return True


def alike(key):
    return lambda entries: all(entry.get(key) == entries[0].get(key) for entry in entries)


def quantiles_hold(entries):
    first, times = entries[0], [entry["real_time"] / 1e3 for entry in entries]
    parts = {"median_seconds": 0.5, "least_seconds": 0, "first_quartile_seconds": 0.25, "third_quartile_seconds": 0.75}
    return (("first_quartile_seconds" in first) == ("third_quartile_seconds" in first)
            and all(near(first[key], quantile(times, part)) for key, part in parts.items() if key in first))


def ratio_of(portable, native):
    """As the mini-app has it: the middle of the averages of two, in logarithms, of the ratios run by run."""
    logs = [math.log(a["real_time"] / b["real_time"]) for a, b in zip(portable, native)]
    size = -(-len(logs) // 128)
    logs = [statistics.median(logs[begin:begin + size]) for begin in range(0, len(logs), size)]
    return math.exp(statistics.median((a + b) / 2 for k, a in enumerate(logs) for b in logs[k:]))


def is_pair(portable, native):
    """Whether the side that ran in turn with it stands behind it, and their ratio is that of their times. Files of before
    November 2026 have another one, and no median."""
    first, name = portable[0], native and f"{native[0]['model']}/{native[0]['variant']}"
    return ("native" not in first or "median_seconds" not in first
            or (first["native"] == name and len(portable) == len(native) and "error_occurred" not in native[0]
                and near(first["portable_over_native"], ratio_of(portable, native))))


def interval_holds(key):
    def holds(entries):
        first, low, high = entries[0], f"{key}_low", f"{key}_high"
        if key not in first or low not in first or high not in first:
            return low not in first and high not in first and first.get(key, 1) > 0
        return 0 < first[low] <= first[key] <= first[high]
    return holds


# Of the entries of a variant in a row: the field, what is wrong where it does not hold, and whether it does. The first half
# is of all, the second of what has times. lib/ado/bench/records/record_rules.cpp has those that `miniapp compare` relies on.
RULES = (
    ("error_occurred", "is not true", lambda e: e[0].get("error_occurred", True)),
    ("error_message", "is missing, or there is no error",
     lambda e: bool(e[0].get("error_message")) == ("error_occurred" in e[0])),
    ("error_message", "does not say WRONG, and share_of_error_bound is above 1",
     lambda e: "WRONG" in e[0].get("error_message", "WRONG") or (e[0].get("share_of_error_bound") or 0) <= 1),
    ("real_time", "is missing, or there is an error", lambda e: all(("real_time" in x) != ("error_occurred" in x) for x in e)),
    ("verified", "is true, and there is an error", lambda e: not (e[0]["verified"] and "error_occurred" in e[0])),
    ("verified", "is not alike in all repetitions", alike("verified")),
    ("name", "is not that of algorithm, model, variant, sizes and type", says_what_it_is),
    ("kernel_lines", "are 0, fewer than those of one backend, or one of the two is missing",
     lambda e: ("kernel_lines" in e[0]) == ("kernel_lines_of_one_backend" in e[0])
     and e[0].get("kernel_lines_of_one_backend", 0) <= e[0].get("kernel_lines", 1) != 0),
)
RULES_OF_TIMES = (
    ("reason", "is there and it is verified, or neither is", lambda e: all(bool(x.get("reason")) != x["verified"] for x in e)),
    ("time_unit", "says that times are not in ms", lambda e: all(x.get("time_unit") == "ms" for x in e)),
    ("real_time", "is not above 0, or no machine lives so long", lambda e: all(1e-12 < x["real_time"] < 1e15 for x in e)),
    ("repetitions", "is not how many there are", lambda e: all(x.get("repetitions", len(e)) == len(e) for x in e)),
    ("repetition_index", "does not count them", lambda e: all(x.get("repetition_index", k) == k for k, x in enumerate(e))),
    ("iterations", "is 0, or not alike in all repetitions", lambda e: e[0].get("iterations", 1) > 0 and alike("iterations")(e)),
    ("bytes", "are not alike in all repetitions", alike("bytes")),
    ("bytes_per_second", "is not bytes over real_time",
     lambda e: all(near(x["bytes_per_second"], x["bytes"] / x["real_time"] * 1e3) for x in e if "bytes_per_second" in x)),
    ("median_seconds", "or a quartile is not that of the times", quantiles_hold),
    ("share_of_error_bound", "is above 1, and the result is verified",
     lambda e: not e[0]["verified"] or e[0].get("share_of_error_bound", 0) <= 1),
    ("distinct_outputs", "is 0, and the result is verified",
     lambda e: not e[0]["verified"] or e[0].get("distinct_outputs", 1) > 0),
    ("native", "is there without portable_over_native",
     lambda e: "native" not in e[0] or "portable_over_native" in e[0]),
    ("portable_over_native", "is there, and no native", lambda e: "portable_over_native" not in e[0] or "native" in e[0]),
    ("portable_over_native", "is not above 0 and in its interval", interval_holds("portable_over_native")),
    ("speedup", "is not above 0 and in its interval", interval_holds("speedup")),
)


def check(rows, by_torch=False):
    """Nothing contradictory is believed. benchmarks/torch_peer.py has quartiles of torch's own, and says of nothing else
    what its times hold."""
    others = ("bytes_per_second", "median_seconds", *OF_THE_RUN) if by_torch else ()
    for entries in rows:
        for entry in entries:
            check_kinds(entry)
    for entries in rows:
        name = entries[0]["name"]
        if name.count("/") < 2:
            raise ValueError(f"{name!r} names no algorithm, variant and type")
        for field, broken, holds in RULES + (() if "error_occurred" in entries[0] else RULES_OF_TIMES):
            if field not in others and not holds(entries):
                raise ValueError(f"{field} of {name} {broken}")
        for key in OF_THE_RUN:
            if key not in others and entries[0].get(key) != rows[0][0].get(key):
                raise ValueError(f"{key} of {name} is not that of the other rows")
    for entries, behind in zip(rows, [*rows[1:], None]):
        if not by_torch and not is_pair(entries, behind):
            raise ValueError(f"portable_over_native of {entries[0]['name']} is not that of its times and those behind them")


def check_context(context):
    """The same of what the file says of the run."""
    version = context.get("record_version", VERSION)
    if version != VERSION or isinstance(version, bool):
        raise ValueError(f"its record_version is {json.dumps(version)}, this ado reads {VERSION}")
    for key in ("ado_version", "ado_commit", "backend", "device", "cpu", "host_name", "date", "library_build_type"):
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
