#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How ado::distributed would do on up to 10000 GPUs: a model, latency and bandwidth, of what each algorithm sends.

    benchmarks/ranks_model.py [TABLE]    prints the tables of docs/scale.md and docs/lab/scale-model.md, or one of them

Times are in seconds, rates in bytes a second.
"""
import math
import sys

# Measured on NVIDIA H200: one of them (docs/lab/gpu.md), two of one host (docs/lab/scale-model.md), four (docs/scale.md).
LINK = 390e9  # from one GPU of a host to the others, while as much comes back
TURN = 2 * 2**30 / 0.74e-3  # a transpose of a part: reads it, writes it
CALL = 0.17e-3  # of a transpose on ranks beside what is sent: they agree, and wait for each other at the end
FIXED = {"average": 5e-6, "average_mv": 11e-6, "vector_add": 6e-6, "yax": 14e-6}  # what a smaller part does not shorten
ONE_TRANSPOSE = 2.09e-3  # 32768^2 i32
COPY = 2 * 2**32 / ONE_TRANSPOSE
READ_YAX = 32768**2 * 8 / 1.857e-3
READ_AVERAGE = 2**32 / 0.932e-3  # 1024^3 f32
READ_AVERAGE_MV = 2**32 / 0.983e-3
ADD = 12 * 2**30 / 2.951e-3
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


def transpose(bytes_each, ranks, group=1, slabs=SLABS, call=CALL):
    if ranks == 1:
        return ONE_TRANSPOSE * bytes_each / GB4
    packing = 2 * bytes_each / TURN
    first_slab = packing * (ranks - 1) / ranks / slabs
    memory = (packing + 2 * bytes_each / COPY) * (2 if group > 1 else 1)  # packs; is read and written by others
    return call + max(memory, first_slab + all_to_all(bytes_each, ranks, group))


def square_group(ranks):
    """The size of groups that is next to the square root."""
    return min((g for g in range(1, ranks + 1) if ranks % g == 0), key=lambda g: abs(math.log(g * g / ranks)))


def yax(rows, ranks, most_tiles=MOST_TILES, more=1):
    """rows * more by rows of f64."""
    tiles = math.ceil(rows * more / math.ceil(rows * more / most_tiles))
    busiest = max(math.ceil(tiles / ranks), MULTIPROCESSORS)  # too few leave multiprocessors idle
    time = rows**2 * more * 8 / tiles * busiest / READ_YAX
    return time + (gather(min(tiles, MOST_TILES) * 8, ranks) + FIXED["yax"] if ranks > 1 else 0)


def average(sets, ranks):
    return FIXED["average"] + math.ceil(sets / ranks) * 2**22 / READ_AVERAGE


def vector_add(elements, ranks):
    return FIXED["vector_add"] + elements * 12 / ranks / ADD


def average_mv(sets, ranks):
    """Where there are fewer sets than ranks, several share one and give each other its 1024 means."""
    together = max(1, ranks // sets)
    time = FIXED["average_mv"] + math.ceil(sets / ranks) * 2**22 / together / READ_AVERAGE_MV
    return time + (gather(4096, together) if together > 1 else 0)


def table(heads, rows):
    lines = [heads, ["--:" if cell[:1].isdigit() else "---" for cell in rows[-1]], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def two_gpus():
    """Name, model, measured: 32768^2 i32 on two H200, in ms."""
    each = GB4 / 2
    send = 1e3 * all_to_all(each, 2)
    ways = [("copy engine alone", send, 2.75), ("pack, then copy", send + 1e3 * each / TURN, 3.60)]
    return ways + [(f"packed in {slabs} slabs", 1e3 * transpose(each, 2, 1, slabs, 0), ms)
                   for slabs, ms in ((4, 3.01), (8, 2.94), (16, 2.94))]


def of_one_host():
    """What, the model of p GPUs with p times the size where that is not 1, and ms measured: of one GPU, of two and four with
    one problem, and with as much for each. Kokkos, docs/scale.md says where."""
    return [
        ("transpose 32768^2 i32, `slabs`", lambda p, more: transpose(GB4 * more / p, p), 2.093, (2.967, 2.371), (5.866, 8.784)),
        ("yax 32768^2 f64", lambda p, more: yax(32768, p, more=more), 1.887, (0.9626, 0.5045), (1.903, 1.907)),
        ("average 1024^3 f32", lambda p, more: average(1024 * more, p), 0.9461, (0.4772, 0.2421), (0.9474, 0.9478)),
        ("average_mv 1024^3 f32", lambda p, more: average_mv(1024 * more, p), 0.9973, (0.5055, 0.2638), (0.9955, 0.9960)),
        ("vector_add 2^30 f32", lambda p, more: vector_add(2**30 * more, p), 2.951, (1.480, 0.7441), (2.953, 2.954)),
    ]


def one_host(weak):
    rows = []
    for what, model, one, strong, more in of_one_host():
        times = more if weak else strong
        seen = [f"{one / ms / (1 if weak else p):.3f}" for p, ms in zip((2, 4), times)]
        said = [f"{model(1, 1) / model(p, p if weak else 1) / (1 if weak else p):.3f}" for p in (2, 4, 8)]
        rows.append([what, f"{one:.4g}", *(f"{ms:.4g}" for ms in times), *seen, *said])
    heads = ["", "1 GPU, ms", "2 GPUs, ms", "4 GPUs, ms", "efficiency of 2", "of 4", "model of 2", "of 4", "of 8"]
    return table(heads, rows)


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
        ["average, strong", "what does not shrink takes a tenth", first(lambda p: FIXED["average"] > average(1024, p) / 10)],
        ["average, strong", "fewer sets than GPUs", first(lambda p: p > 1024)],
    ]
    return table(["what", "limit", "from so many GPUs on"], rows)


def tables():
    check = [[name, f"{model:.2f}", f"{ms:.2f}", f"{model / ms:.3f}"] for name, model, ms in two_gpus()]
    pays = [[str(p), f"{NIC * ALPHA * (p - 2 * math.sqrt(p)) / 1e9:.2g}"] for p in RANKS[4:]]
    return {
        "strong": one_host(False),
        "weak": one_host(True),
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
