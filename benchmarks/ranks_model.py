#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How ado::distributed would do on up to 10000 GPUs: a model, latency and bandwidth, of what each algorithm sends.

    benchmarks/ranks_model.py [TABLE]    prints the tables of docs/lab/scale-model.md, or one of them

Times are in seconds, rates in bytes a second.
"""
import math
import sys

# Measured on NVIDIA H200: one of them and a launch (docs/lab/gpu.md), two of one host (docs/lab/scale-model.md).
LINK = 390e9  # from one GPU of a host to the others, while as much comes back
TURN = 2 * 2**30 / 0.74e-3  # a transpose of a part: reads it, writes it
LAUNCH = 3.7e-6  # of a kernel
ONE_TRANSPOSE = 2.09e-3  # 32768^2 i32
COPY = 2 * 2**32 / ONE_TRANSPOSE
READ_YAX = 32768**2 * 8 / 1.857e-3
READ_AVERAGE = 2**32 / 0.932e-3  # 1024^3 f32
READ_AVERAGE_MV = 2**32 / 0.983e-3
# Assumptions.
HOST = 8  # GPUs that LINK joins
NIC = 45e9  # of each GPU, to all other hosts at once: 400 Gbit/s less a tenth
ALPHA = 5e-6  # until the next message can go
# The library's.
SLABS = 8  # the first one is packed before anything is sent
MOST_TILES, MULTIPROCESSORS = 65536, 132  # yax: a tile keeps a multiprocessor busy

RANKS = (1, 2, 4, 8, 16, 64, 256, 1024, 10000)
GB4 = 2**32  # 32768^2 i32, 1024^3 f32

def exchange(bytes_each, members, stride):
    """All-to-all among `members` ranks of which each is the stride-th after the one before."""
    inside = min(members, max(1, HOST // stride))
    share = bytes_each / members
    return max((inside - 1) * share / LINK, (members - inside) * share / NIC) + (members - 1) * ALPHA


def all_to_all(bytes_each, ranks, group=1):
    """In groups of `group` ranks, then between those that have one place in their groups; 1: in one stage."""
    return (exchange(bytes_each, group, 1) if group > 1 else 0) + exchange(bytes_each, ranks // group, group)


def gather(total, ranks):
    """All ranks get all; the number of messages is the logarithm of that of ranks."""
    rate = LINK if ranks <= HOST else NIC
    return math.ceil(math.log2(ranks)) * ALPHA + total * (ranks - 1) / ranks / rate


def transpose(bytes_each, ranks, group=1, slabs=SLABS):
    if ranks == 1:
        return ONE_TRANSPOSE * bytes_each / GB4
    packing = 2 * bytes_each / TURN
    first_slab = packing * (ranks - 1) / ranks / slabs
    memory = (packing + 2 * bytes_each / COPY) * (2 if group > 1 else 1)  # packs; is read and written by others
    return max(memory, first_slab + all_to_all(bytes_each, ranks, group))


def square_group(ranks):
    """The size of groups that is next to the square root."""
    return min((g for g in range(1, ranks + 1) if ranks % g == 0), key=lambda g: abs(math.log(g * g / ranks)))


def yax(rows, ranks, most_tiles=MOST_TILES):
    """rows x rows of f64."""
    tiles = math.ceil(rows / math.ceil(rows / most_tiles))
    busiest = max(math.ceil(tiles / ranks), MULTIPROCESSORS)  # too few leave multiprocessors idle
    time = LAUNCH + rows**2 * 8 / tiles * busiest / READ_YAX
    return time + (gather(min(tiles, MOST_TILES) * 8, ranks) + LAUNCH if ranks > 1 else 0)


def average(sets, ranks):
    return LAUNCH + math.ceil(sets / ranks) * 2**22 / READ_AVERAGE


def average_mv(sets, ranks):
    """Where there are fewer sets than ranks, several share one and give each other its 1024 means."""
    together = max(1, ranks // sets)
    time = LAUNCH + math.ceil(sets / ranks) * 2**22 / together / READ_AVERAGE_MV
    return time + (gather(4096, together) + LAUNCH if together > 1 else 0)


def table(heads, rows):
    lines = [heads, ["--:" if cell[:1].isdigit() else "---" for cell in rows[-1]], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def two_gpus():
    """Name, model, measured: 32768^2 i32 on two H200, in ms."""
    each = GB4 / 2
    send = 1e3 * all_to_all(each, 2)
    ways = [("copy engine alone", send, 2.75), ("pack, then copy", send + 1e3 * each / TURN, 3.60)]
    return ways + [(f"packed in {slabs} slabs", 1e3 * transpose(each, 2, 1, slabs), ms)
                   for slabs, ms in ((4, 3.01), (8, 2.94), (16, 2.94))]


def of_transpose(bytes_of, weak):
    """Times in ms of each way, and the best one's efficiency."""
    rows, one = [], transpose(bytes_of(1), 1)
    for ranks in RANKS:
        groups = (1, HOST, square_group(ranks)) if ranks > HOST else (1,)
        times = [transpose(bytes_of(ranks), ranks, group) for group in groups]
        cells = [f"{1e3 * time:.4g}" for time in times] + ["-"] * (3 - len(times))
        rows.append([str(ranks), *cells, f"{one / min(times) / (1 if weak else ranks):.2g}"])
    return table(["GPUs", "one stage, ms", "hosts first, ms", "sqrt(P) first, ms", "efficiency of the best"], rows)


def of_others():
    strong = (lambda p: yax(32768, p), lambda p: average(1024, p), lambda p: average_mv(1024, p))
    weak = (lambda p: yax(round(32768 * p**0.5), p), lambda p: average(1024 * p, p), lambda p: average_mv(1024 * p, p))
    added = (lambda p: yax(round(32768 * p**0.5), p, 2**40),)
    rows = [[str(p), *(f"{of(1) / p / of(p):.2g}" for of in strong), *(f"{of(1) / of(p):.2g}" for of in weak + added)]
            for p in RANKS]
    heads = [f"{name}, {how}" for how in ("strong", "weak") for name in ("yax", "average", "average_mv")]
    return table(["GPUs", *heads, "yax, weak, more tiles"], rows)


def limits():
    def first(holds):
        return next((f"{p}" for p in range(2, 10001) if holds(p)), "none up to 10000")

    rows = [
        ["transpose", "the NIC takes longer than a host's link", first(lambda p: all_to_all(GB4, p) > all_to_all(GB4, HOST))],
        ["transpose, strong, one stage", "messages take longer than their bytes", first(lambda p: p * ALPHA > GB4 / p / NIC)],
        ["transpose, 4.3 GB a GPU, one stage", "the same", first(lambda p: p * ALPHA > GB4 / NIC)],
        ["yax, strong", "fewer tiles than multiprocessors", first(lambda p: 32768 / p < MULTIPROCESSORS)],
        ["yax, 8.6 GB a GPU", "the same", first(lambda p: MOST_TILES / p < MULTIPROCESSORS)],
        ["yax, strong", "the all-gather takes a tenth of the time", first(lambda p: gather(2**18, p) > yax(32768, p) / 10)],
        ["average, strong", "launches take a tenth", first(lambda p: LAUNCH > average(1024, p) / 10)],
        ["average, strong", "fewer sets than GPUs", first(lambda p: p > 1024)],
    ]
    return table(["what", "limit", "from so many GPUs on"], rows)


def tables():
    check = [[name, f"{model:.2f}", f"{ms:.2f}", f"{model / ms:.3f}"] for name, model, ms in two_gpus()]
    pays = [[str(p), f"{NIC * ALPHA * (p - 2 * math.sqrt(p)) / 1e9:.2g}"] for p in RANKS[4:]]
    return {
        "two-gpus": table(["way", "model, ms", "measured, ms", "model over measured"], check),
        "transpose-strong": of_transpose(lambda p: GB4 / p, False),
        "transpose-weak": of_transpose(lambda p: GB4, True),
        "transpose-50GB": of_transpose(lambda p: 50e9, True),
        "two-stages": table(["GPUs", "GB a GPU below which two stages are faster"], pays),
        "others": of_others(),
        "limits": limits(),
    }


if __name__ == "__main__":
    print("\n".join(tables()[name] for name in sys.argv[1:] or tables()))
