#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures ado beside torch: same sizes, types and device, in turn.

    benchmarks/torch_peer.py BUILD/bin/miniapp                          the mini-app's default sizes
    benchmarks/torch_peer.py BUILD/bin/miniapp --squares 16384          squares from 64 on, f32 and f64
    benchmarks/torch_peer.py BUILD/bin/miniapp -- --rows 4Ki --cols 4Ki any options of the mini-app

Each round runs the mini-app's best, portable and native, then torch, the next one torch first. A round's
time is the median of its repetitions, a ratio that of the two times of one round. On a GPU times are those
of CUDA events around calls that were queued while the stream was held, as the mini-app has it: what Python
takes to launch them is not in them. --json FILE writes what benchmarks/sweep.py reads.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

from measured import entries_of, sides_of

CPUS = os.sched_getaffinity(0)  # torch may bind this process to one of them, and its children with it
try:
    import torch
except ImportError:
    sys.exit("torch_peer.py: this Python has no torch, the library to compare with: python3 -m pip install torch")

TYPES = {"f32": torch.float32, "f64": torch.float64, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
         "i64": torch.int64, "c64": torch.complex64, "c128": torch.complex128}
SHORTEST_REPETITION = 200e-6  # shorter calls are batched, as in the mini-app
LARGEST_BATCH = 200  # a stream queues 1024 launches


def random(shape, dtype, device):
    if dtype.is_floating_point or dtype.is_complex:
        return torch.rand(shape, dtype=dtype, device=device) * 2 - 1
    return torch.randint(torch.iinfo(dtype).min, torch.iinfo(dtype).max, shape, dtype=dtype, device=device)


# --- The works: arrays of a case, the call, and whether its result is right. ------------------------

def close(result, expected, magnitude, terms):
    """Sums of so many terms, of so great a sum of magnitudes: in any order, their error hardly exceeds the
    square root of that many roundings (Higham and Mary, 2019, with lambda = 8)."""
    limit = 8 * math.sqrt(terms) * torch.finfo(result.dtype).eps
    return bool(((result.double() - expected).abs() <= limit * magnitude).all())


def in_doubles(matrix, vector):
    """matrix @ vector, without a second matrix in memory and by another way than the one measured."""
    return torch.cat([(rows.double() * vector.double()).sum(1) for rows in matrix.split(1024)])


class Average:
    def __init__(self, n, l, m, dtype, device):
        self.arguments = (random((n, l, m), dtype, device),)

    @staticmethod
    def call(v):
        return v.mean(2)

    def right(self, result):
        v, = self.arguments
        return close(result, v.mean(2, dtype=torch.float64), v.abs().mean(2, dtype=torch.float64), v.shape[2])


class AverageMv:
    def __init__(self, n, l, m, dtype, device):
        self.arguments = random((n, l, m), dtype, device), random((l, l), dtype, device)

    @staticmethod
    def call(v, a):
        return a @ v.mean(2).t()

    def right(self, result):
        v, a = self.arguments
        expected, magnitude = (b.double() @ w.mean(2, dtype=torch.float64).t() for b, w in ((a, v), (a.abs(), v.abs())))
        return close(result, expected, magnitude, v.shape[2] + v.shape[1])


class Transpose:
    def __init__(self, rows, cols, dtype, device):
        self.arguments = random((rows, cols), dtype, device), torch.empty((cols, rows), dtype=dtype, device=device)

    @staticmethod
    def call(a, out):
        return out.copy_(a.t())

    def right(self, result):
        return torch.equal(result, self.arguments[0].t())


class Yax:
    def __init__(self, rows, cols, dtype, device):
        self.arguments = random(rows, dtype, device), random((rows, cols), dtype, device), random(cols, dtype, device)

    @staticmethod
    def call(y, a, x):
        return y @ (a @ x)

    def right(self, result):
        y, a, x = self.arguments
        expected, magnitude = ((in_doubles(b, z) * w).sum() for w, b, z in ((y, a, x), (y.abs(), a.abs(), x.abs())))
        return close(result, expected, magnitude, a.shape[0] + a.shape[1])


WORKS = {"average": Average, "average_mv": AverageMv, "transpose": Transpose, "yax": Yax}


# --- Timing ----------------------------------------------------------------------------------------

class HostClock:
    """Seconds of a batch of calls on the CPU."""

    def seconds(self, call, batch):
        start = time.perf_counter()
        for _ in range(batch):
            call()
        return time.perf_counter() - start


class GpuClock:
    """Seconds of a batch of calls on the GPU, which begins with them when all are queued."""

    def __init__(self):
        self.hold = 1e-3  # seconds
        self.cycles_per_second = 1e9
        self.queued(lambda: torch.cuda._sleep(1000))  # what only the first kernel takes
        self.cycles_per_second = 1e8 / self.queued(lambda: torch.cuda._sleep(100000000))[0]

    def queued(self, work):
        """Seconds of the GPU and of the host; None for the GPU where it began before all was queued."""
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(int(self.hold * self.cycles_per_second))
        begin = time.perf_counter()
        start.record()
        work()
        too_early = start.query()
        host = time.perf_counter() - begin
        end.record()
        end.synchronize()
        return None if too_early else start.elapsed_time(end) * 1e-3, host

    def seconds(self, call, batch):
        def work():
            for _ in range(batch):
                call()

        for _ in range(8):
            seconds, host = self.queued(work)
            if seconds is not None:
                self.hold = 1.5 * host
                return seconds
            self.hold = 2 * max(self.hold, host)
        raise RuntimeError("this call waits for the GPU")


def median_of(clock, call, reps):
    """Of so many repetitions, in seconds."""
    clock.seconds(call, 1)  # what only the first call takes
    batch = min(LARGEST_BATCH, math.ceil(SHORTEST_REPETITION / max(clock.seconds(call, 1), 1e-7)))
    return statistics.median(clock.seconds(call, batch) / batch for _ in range(reps))


# --- Rounds ----------------------------------------------------------------------------------------

def run_miniapp(arguments, first):
    command = [str(arguments.miniapp), "--algorithm", ",".join(arguments.algorithm), "--variant", "tuned", "--backend",
               arguments.backend, "--reps", str(arguments.reps), *arguments.options, "--json", "-"]
    if not first:
        command.append("--skip-verification")  # the data are those of the first round
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, CPUS))
    if done.returncode not in (0, 3) and (first or done.returncode != 6):  # 3: too large for the memory
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    results = json.loads(done.stdout)
    return results["context"], entries_of(sides_of(results))


def run_torch(arguments, clock, ways, case, first):
    """{way: seconds, or why there are none}."""
    algorithm, problem = case
    sizes = dict(part.split(":") for part in problem.split("/"))
    dtype = TYPES[sizes.pop("type")]
    try:
        made = WORKS[algorithm](*map(int, sizes.values()), dtype, arguments.device)
        return {way: time_one(arguments, clock, made, call, first) for way, call in ways[algorithm].items()}
    except RuntimeError as error:  # most often no memory
        return {way: first_line(error) for way in ways[algorithm]}
    finally:
        made = None
        if arguments.device == "cuda":
            torch.cuda.empty_cache()  # the mini-app needs the memory


def time_one(arguments, clock, made, call, first):
    try:
        if first and not made.right(call(*made.arguments)):
            return "WRONG: differs from torch in float64"
        return median_of(clock, lambda: call(*made.arguments), arguments.reps)
    except Exception as error:  # whatever a compiler may raise: one way that fails is not the end
        return first_line(error)


def first_line(error):
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def ways_of(arguments, work):
    ways = {"eager": work.call}
    if arguments.compile:
        ways["compiled"] = torch.compile(work.call)
    return ways


class Records:
    """What was found of each variant of each case: its entry, and the time of each round in ms."""

    def __init__(self):
        self.entries, self.times, self.cases = {}, {}, []

    def add(self, case, variant, entry):
        """A round without a time tells why."""
        key = case, variant
        if key not in self.entries or "ms" not in entry:
            self.entries[key] = entry
        self.times.setdefault(key, []).append(entry.get("ms"))

    def times_of(self, case, variant):
        """Of all rounds, or none."""
        times = self.times.get((case, variant), [])
        return [] if None in times else times

    def add_miniapp(self, entries):
        for entry in entries:
            case = entry["algorithm"], "/".join(entry["name"].split("/")[2:])  # "yax", "rows:64/cols:64/type:f64"
            if case not in self.cases:
                self.cases.append(case)
            self.add(case, f"{entry['model']}/{entry['variant']}", entry)

    def add_torch(self, case, found):
        algorithm, problem = case
        for way, seconds in found.items():
            entry = {"name": f"{algorithm}/torch_{way}/{problem}", "algorithm": algorithm, "variant": way,
                     "model": "torch", "type": problem.rsplit(":", 1)[1]}
            if isinstance(seconds, str):
                entry.update(error_occurred=True, error_message=seconds, verified=False)
            else:
                entry.update(ms=seconds * 1e3, verified=True)
            self.add(case, f"torch/{way}", entry)


def measure(arguments):
    """The mini-app's context, and the records of all rounds."""
    clock = GpuClock() if arguments.device == "cuda" else HostClock()
    ways = {algorithm: ways_of(arguments, WORKS[algorithm]) for algorithm in arguments.algorithm}
    records, contexts = Records(), []

    def run_ado(first):
        context, entries = run_miniapp(arguments, first)
        contexts.append(context)
        records.add_miniapp(entries)

    def run_peer(first):
        for case in records.cases:
            records.add_torch(case, run_torch(arguments, clock, ways, case, first))

    for number in range(arguments.rounds):
        for who, run in (("ado", run_ado), ("torch", run_peer))[:: 1 if number % 2 == 0 else -1]:
            started = time.monotonic()
            run(number == 0)
            print(f"round {number + 1} of {arguments.rounds}: {who} took {time.monotonic() - started:.0f} s",
                  file=sys.stderr)
    return contexts[0], records


# --- Results ---------------------------------------------------------------------------------------

def ratio(records, case, peer):
    """Portable over torch: median of the rounds, least and greatest."""
    ours, theirs = records.times_of(case, "kokkos/tuned"), records.times_of(case, peer)
    if not ours or not theirs:
        return ""
    ratios = [a / b for a, b in zip(ours, theirs)]
    return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def cell(records, case, *variants):
    for variant in variants:
        if times := records.times_of(case, variant):
            return f"{statistics.median(times):.4g}"
    return ""


def table(records):
    lines = ["| work | sizes | portable ms | native ms | torch ms | compiled ms | portable / torch | portable / compiled |",
             "|---|---|--:|--:|--:|--:|--:|--:|"]
    for case in records.cases:
        algorithm, problem = case
        words = problem.replace("type:", "").replace(":", " ").replace("/", ", ")
        cells = [algorithm, words, cell(records, case, "kokkos/tuned"), cell(records, case, "cuda/team", "openmp/team"),
                 cell(records, case, "torch/eager"), cell(records, case, "torch/compiled"),
                 ratio(records, case, "torch/eager"), ratio(records, case, "torch/compiled")]
        lines.append("| " + " | ".join(cells) + " |")
    failures = [f"- {variant}, {', '.join(case)}: {entry['error_message']}"
                for (case, variant), entry in records.entries.items() if "ms" not in entry]
    return lines + [""] + (["No time of:", "", *failures, ""] if failures else [])


def facts():
    """Of torch and the machine, for the record."""
    found = {"version": torch.__version__, "cuda": torch.version.cuda, "threads": torch.get_num_threads(),
             "float32_matmul_precision": torch.get_float32_matmul_precision(),
             "python": sys.version.split()[0]}
    if torch.cuda.is_available():
        found["device"] = torch.cuda.get_device_name()
    return found


def benchmark_entries(records):
    """As the mini-app writes them, an entry a repetition; here a repetition is a round."""
    entries = []
    for (case, variant), entry in records.entries.items():
        entry = {key: value for key, value in entry.items() if key != "ms"}
        times = records.times_of(case, variant)
        for index, milliseconds in enumerate(times):
            entries.append(dict(entry, repetitions=len(times), repetition_index=index, real_time=milliseconds,
                                time_unit="ms", median_seconds=statistics.median(times) * 1e-3))
        if not times:
            entries.append(entry)
    return entries


def squares(side):
    """The mini-app's options for squares up to this side, and cubes of no more elements."""
    cube = max(32, 2 ** int(math.log2(side) * 2 / 3))
    return ["--type", "f32,f64", "--sweep", f"rows=cols=64:{side}:x2", "--sweep", f"N=L=M=32:{cube}:x2"]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="After -- follow options of the mini-app.")
    parser.add_argument("miniapp", type=pathlib.Path)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=len(CPUS), help="on the CPU (%(default)s)")
    parser.add_argument("--algorithm", type=lambda text: text.split(","), default=list(WORKS), metavar="NAME,...")
    parser.add_argument("--squares", type=int, metavar="SIDE", help="squares from 64 to this, and cubes, f32 and f64")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reps", type=int, default=31, help="repetitions a round (%(default)s)")
    parser.add_argument("--no-compile", dest="compile", action="store_false", help="no torch.compile")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    split = (sys.argv + ["--"]).index("--")
    arguments = parser.parse_args(sys.argv[1:split])
    if unknown := set(arguments.algorithm) - set(WORKS):
        parser.error(f"--algorithm {','.join(unknown)}: there are {', '.join(WORKS)}")
    arguments.options = (squares(arguments.squares) if arguments.squares else []) + sys.argv[split + 1:]
    if any(option.startswith("--row-padding") for option in arguments.options):
        parser.error("--row-padding: torch's arrays are packed; leave it out")
    arguments.miniapp = arguments.miniapp.resolve()
    arguments.backend = "cuda" if arguments.device == "cuda" else f"openmp:{arguments.threads}"
    return arguments


def main():
    arguments = read_arguments()
    torch.set_num_threads(arguments.threads)
    torch.set_float32_matmul_precision("highest")  # no TF32
    torch.set_grad_enabled(False)
    torch.manual_seed(1)
    context, records = measure(arguments)
    context = dict(context, command_line=sys.argv, torch=facts())
    print("\n".join(table(records)))
    print(f"{arguments.rounds} rounds of {arguments.reps} repetitions; {context['device']}; torch {torch.__version__}; "
          f"{context['date'][:10]}, commit {context['ado_commit']}.")
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        results = {"context": context, "benchmarks": benchmark_entries(records)}
        arguments.json.write_text(json.dumps(results, indent=1))
    sys.exit(any("WRONG" in entry.get("error_message", "") for entry in records.entries.values()))


if __name__ == "__main__":
    main()
