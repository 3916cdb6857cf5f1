# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file that `miniapp --json` wrote: read, checked, and cut into sides. Needs Python alone, for `./ado report` and the
other programs of benchmarks/ read with it too."""
import gzip
import json
import pathlib
import statistics
import zlib

NATIVE = ("cuda", "openmp", "serial", "vendor", "torch")
COLOURS = {"portable": "#1f5fa8", "native": "#e08a1e", "kokkos_kernels": "#3a8f4d", "vendor": "#b0413e",
           "eigen": "#17858c", "torch": "#7b4fa3"}
NUMBERS = ("ms", "bytes", "flops", "share_of_ceiling", "portable_over_native", "portable_over_native_low",
           "portable_over_native_high", "speedup", "speedup_low", "speedup_high", "first_quartile_seconds",
           "third_quartile_seconds")


class RecordError(ValueError):
    """A file is no record: which, what is wrong with it, and what to do."""


def load(path):
    """The context of a record, which may be compressed (.gz), and its sides, as sides_of makes them."""
    path = pathlib.Path(path)
    try:
        data = path.read_bytes()
        results = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
        context, sides = results["context"], sides_of(results)
        if "ado_version" not in context:
            raise KeyError("ado_version")
        check_context(context)
        for side in sides:
            check(side)
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError, OverflowError,
            RecursionError) as error:
        raise RecordError(f"{path}: {why_not(path, error)}; name a file that miniapp --json FILE wrote") from None
    return context, sides


def sides_of(results):
    """A dictionary for each variant in each row of the table, in its order: the first entry, which has what is known of
    all repetitions, with "seconds" of each and their median "ms". What was not measured has neither."""
    sides = []
    for entry in results["benchmarks"]:
        if (not sides or entry["name"] != sides[-1][-1]["name"] or entry.get("repetition_index") == 0
                or "error_occurred" in entry or "error_occurred" in sides[-1][-1]):
            sides.append([])
        sides[-1].append(entry)
    return [measured(side) for side in sides]


def measured(side):
    times = [entry["real_time"] for entry in side if "real_time" in entry]
    return dict(side[0], ms=statistics.median(times), seconds=[time / 1e3 for time in times]) if times else dict(side[0])


def platform(context):
    """As --p3-csv names it: OpenMP with two threads is another platform on another processor."""
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


def check(side):
    """Text is text and numbers are numbers: all that follows relies on it."""
    for key in ("name", "algorithm", "variant", "model", "type"):
        check_text(side[key], key)
    for key in ("error_message", "reason", "limiter_estimated"):
        check_text(side.get(key, "").replace("\n", " "), key)
    if side["name"].count("/") < 2:
        raise ValueError(f"{side['name']!r} names no algorithm, variant and type")
    for key in NUMBERS:
        if key in side:
            check_number(side[key], f"{key} of {side['name']}")
    if "first_quartile_seconds" in side and "third_quartile_seconds" not in side:
        raise KeyError("third_quartile_seconds")
    for key in ("portable_over_native", "speedup"):
        if key in side and side[key] == 0:
            raise ValueError(f"{key} of {side['name']} is 0")
    if "ms" in side and side.get("time_unit", "ms") != "ms":
        raise ValueError(f"times of {side['name']} are not in ms")
    for ms in [side["ms"], *(1e3 * time for time in side["seconds"])] if "ms" in side else ():
        if not 1e-12 < ms < 1e15:
            raise ValueError(f"a time of {side['name']} is not above 0, or no machine lives so long")


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
