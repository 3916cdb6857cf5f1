#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mini-app on many ranks, as a user starts it, and with faults of MPI.

    miniapp_ranks.py MPIEXEC FLAG MINIAPP FAULTS CASE [--backend openmp]

In a build for a GPU the cases run on its CPU, as that option says, but for `gpu`. FAULTS is the library of faults.cpp.
CASE: listed, right, one_rank, skipped, peers, bits, files, resumed, refused, gpu, or the name of a fault.
"""
import json
import os
import pathlib
import random
import re
import shlex
import socket
import struct
import subprocess
import sys
import tempfile
import time

mpiexec, flag, miniapp, faults, case, *on_the_host = sys.argv[1:]
program = [miniapp] if case == "gpu" else [miniapp, *on_the_host]
CEILINGS = pathlib.Path(tempfile.mkdtemp(), "ceilings.json")  # measured once for each number of ranks


def start(ranks, *options, fault=None, limit=100):
    """Exit status, stdout and stderr. fault: what, rank, function, call."""
    environment = dict(os.environ)
    if fault:
        environment.update(LD_PRELOAD=faults, ADO_FAULT=fault[0], ADO_FAULT_RANK=str(fault[1]), ADO_FAULT_IN=fault[2],
                           ADO_FAULT_CALL=str(fault[3]))
    begin = time.monotonic()
    done = subprocess.run([mpiexec, flag, str(ranks), *program, *options, "--ceilings", str(CEILINGS)], env=environment, capture_output=True, text=True,
                          timeout=limit, check=False)
    print(f"-- {ranks} ranks, {options}, {fault}: {done.returncode} after {time.monotonic() - begin:.1f} s")
    print(done.stdout[-1500:], done.stderr[-1500:], sep="\n")
    return done.returncode, done.stdout, done.stderr


def check(what, holds):
    if not holds:
        sys.exit(f"FAILED: {what}")


def start_apart(*shell_commands):
    """Each rank with a command of its own. (mpiexec's own way, with ":" between them, ends Debian 13's Open MPI 5.0.7 with SIGSEGV.)"""
    choice = " ".join(f"{rank}) {command};;" for rank, command in enumerate(shell_commands))
    line = f"case ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} in {choice} esac"
    return subprocess.run([mpiexec, flag, str(len(shell_commands)), "sh", "-c", line], capture_output=True, text=True, timeout=100, check=False)


def own_lines(text):
    """What the mini-app said, without the launcher's words."""
    return [line for line in text.splitlines() if line.startswith("miniapp: ")]


def listed():
    """Each variant file of ranks is registered."""
    out = subprocess.run([mpiexec, flag, "2", *program, "--list"], capture_output=True, text=True, timeout=100, check=True).stdout
    names = set(re.findall(r"^ +(\w+) +(kokkos|openmp) ", out, re.MULTILINE))
    files = pathlib.Path(__file__).parents[2].glob("lib/ado/ranks/*/*_*.cpp")
    only_on_a_gpu = {"slabs", "staged", "remote_stores"}
    wanted = {(name, model) for model, name in (path.stem.split("_", 1) for path in files) if name not in only_on_a_gpu}
    check(f"{wanted - names} are listed", len(wanted) > 8 and wanted <= names)


def right():
    """1 to 4 ranks: all verified, one table, one record that has each rank's time."""
    for ranks, sizes in ((1, []), (2, []), (3, []), (4, []), (4, ["--rows", "3", "--cols", "2"])):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "record.json")
            sizes_here = sizes or ["--rows", "311", "--cols", "523"]
            status, out, _ = start(ranks, "--algorithm", "transpose,yax", *sizes_here, "--reps", "3", "--type", "f32,f64",
                                   "--model", "kokkos,openmp", "--json", str(record))
            check("exit status", status == 0)
            check("one table", out.count("results verified") == 1)
            entries = [e for e in json.loads(record.read_text())["benchmarks"] if "median_seconds" in e]
            context = json.loads(record.read_text())["context"]
            check("rows", {e["variant"] for e in entries} >= ({"packed", "datatypes", "allreduce"} if ranks > 1 else {"flat"}))
            check("verified", all(e["verified"] for e in entries))
            if ranks == 1:
                check("one rank is as ever", "ranks" not in context and "rank_seconds" not in entries[0])
                continue
            check("places", len(context["ranks"]) == ranks)
            check("the library in few words", re.fullmatch(r"\w[^,\n\t]{4,40}", context["mpi"]))
            for entry in entries:
                check("a time of each", len(entry["rank_seconds"]) == ranks)
                # Medians of the slowest in each run: no rank is slower than they are.
                check("the slowest counts", max(entry["rank_seconds"]) <= entry["median_seconds"] * 1.001)
            if not sizes:
                sent = [e["sent_bytes"] for e in entries if e["algorithm"] == "transpose" and e["type"] == "f32"]
                rows, columns = (311 + ranks - 1) // ranks, 523 - (523 + ranks - 1) // ranks
                check("bytes of the first rank", sent and all(bytes == rows * columns * 4 for bytes in sent))
            check("nothing is left", [p.name for p in pathlib.Path(folder).iterdir()] == ["record.json"])
    status, out, _ = start(3, "--algorithm", "average,average_mv,vector_add", "-N", "5", "-M", "33", "-L", "40", "-n", "1000",
                           "--variant", "flat,team,coalesced", "--reps", "3")
    check("parts of their own", status == 0 and "results verified" in out)
    status, out, _ = start(4, "--algorithm", "average_mv", "-N", "3", "-M", "33", "-L", "1", "--variant", "rows", "--reps", "3")
    check("rows shorter than there are sets", status == 0 and "results verified" in out)


def gpu():
    """On a GPU: all verified, and the bits of one rank."""
    for ranks in (2, 3, 4):
        status, out, _ = start(ranks, "--algorithm", "transpose,yax,average,average_mv,vector_add", "--rows", "311", "--cols", "523", "-N", "5",
                               "-M", "33", "-L", "40", "-n", "1000", "--reps", "3")
        right, of = map(int, re.search(r"(\d+) of (\d+) results verified", out).groups())
        refused = "are on one GPU, which it refuses" in out  # NCCL's row, where there are fewer GPUs than ranks
        check("verified", right + refused == of and status == (2 if refused else 0))
    for model in ("kokkos", "cuda"):
        for algorithm, name, sizes in (("average", "mean", ["-N", "27", "-L", "19", "-M", "32768"]), ("average_mv", "y", ["-N", "5", "-L", "33", "-M", "131"]),
                                       ("yax", "result", ["--rows", "20011", "--cols", "701", "--type", "f32"])):
            with tempfile.TemporaryDirectory() as folder:
                one, *others = [output_of(ranks, folder, algorithm, name, *sizes, "--model", model, "--variant", "team")
                                for ranks in (1, 2, 3, 4)]
                check(f"{algorithm} {model}", all(other == one for other in others))


def skipped():
    """What does not run on these blocks, or these ranks, says why, and the run is right."""
    status, out, _ = start(4, "--algorithm", "transpose", "--rows", "309", "--cols", "52", "--reps", "3", "--type", "f64")
    check("uneven blocks are no failure", status == 0 and "results verified" in out)
    if "fftw" in out:
        check("FFTW says why", "FFTW gives each of 4 ranks 78 of 309" in " ".join(out.split()))
    for sets, wanted, said in (("2", "rows", "there are fewer sets than ranks"), ("3", "team", "is for fewer sets than ranks")):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "record.json")
            status, out, _ = start(3, "--algorithm", "average_mv", "-N", sets, "-L", "50", "-M", "70", "--variant", "team,rows", "--reps", "3",
                                   "--json", str(record))
            check("status", status == 0)
            check("one of two says why", said in " ".join(out.split()))
            ran = [e["variant"] for e in json.loads(record.read_text())["benchmarks"] if "median_seconds" in e]
            check("the other one runs", ran and set(ran) == {wanted})


def peers():
    """FFTW's transpose, where the build has it, is verified beside packed, on blocks that are its own too."""
    for ranks in (2, 3, 4):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "record.json")
            status, _, _ = start(ranks, "--algorithm", "transpose", "--rows", "420", "--cols", "252", "--reps", "3", "--type", "f32,f64",
                                 "--json", str(record))
            entries = json.loads(record.read_text())["benchmarks"]
            names = {"packed"} | {e["variant"] for e in entries} & {"fftw"}
            right_ones = {(e["variant"], e["type"]) for e in entries if "median_seconds" in e and e["verified"]}
            check(f"{names} are right", status == 0 and right_ones >= {(name, t) for name in names for t in ("f32", "f64")})


def output_of(ranks, folder, algorithm, name, *options):
    """The bytes of the file that a run of one variant leaves."""
    path = pathlib.Path(folder, f"{ranks}.npy")
    status, _, _ = start(ranks, "--algorithm", algorithm, *options, "--reps", "1", "--output", f"{name}={path}")
    check("exit status", status == 0)
    check("nothing is left beside it", [p.name for p in pathlib.Path(folder).glob("*.part")] == [])
    return path.read_bytes()


def bits():
    """The bits of a result do not depend on the number of ranks."""
    few = ["-N", "5", "-L", "33", "-M", "131"]  # 165 rows: the last is summed otherwise than the others
    long = ["-N", "27", "-L", "19", "-M", "32768"]  # 513 long rows: those of a rank alone would be cut in pieces
    for algorithm, name, sizes in (("average", "mean", few), ("average", "mean", long), ("average_mv", "y", few), ("average_mv", "y", long)):
        for model, variant in (("kokkos", "tuned"), ("kokkos", "team"), ("openmp", "team")):
            with tempfile.TemporaryDirectory() as folder:
                one, *others = [output_of(ranks, folder, algorithm, name, *sizes, "--model", model, "--variant", variant) for ranks in (1, 2, 3)]
                check(f"{algorithm} {model}/{variant} {sizes}", all(other == one for other in others))
    best = {"kokkos": "tuned", "openmp": "team"}  # of one rank, which the variants of several follow
    # In pieces; long rows, of which the whole sums four at once and a rank has fewer; short ones.
    for length, count in ((7, 200003), (7, 10007), (67, 131)):
        sizes = ["-N", "1" if length == 7 else "2", "-L", str(length), "-M", str(count)]
        for model in ("kokkos", "openmp"):
            with tempfile.TemporaryDirectory() as folder:
                one = output_of(1, folder, "average_mv", "y", *sizes, "--model", model, "--variant", best[model])
                check(f"rows {model} {sizes}", output_of(3, folder, "average_mv", "y", *sizes, "--model", model, "--variant", "rows") == one)
    # Rows in pieces; tiles that a rank's rows alone would not have; rows that would be in pieces if they were a rank's alone.
    for rows, columns in ((7, 200003), (20011, 701), (520, 32768)):
        sizes = ["--rows", str(rows), "--cols", str(columns), "--type", "f32"]
        for model in ("kokkos", "openmp"):
            with tempfile.TemporaryDirectory() as folder:
                one, *others = [output_of(ranks, folder, "yax", "result", *sizes, "--model", model, "--variant", best[model] if ranks == 1 else "team")
                                for ranks in (1, 2, 3)]
                check(f"yax {model} {rows} x {columns}", all(other == one for other in others))


def save(path, shape, numbers, fortran=False):
    """An .npy file of doubles, given row-major."""
    strides = [0] * len(shape)
    step = 1
    for d in range(len(shape)) if fortran else reversed(range(len(shape))):
        strides[d], step = step, step * shape[d]
    data = [0.0] * len(numbers)
    for at, number in enumerate(numbers):
        place, rest = 0, at
        for d in reversed(range(len(shape))):
            place += rest % shape[d] * strides[d]
            rest //= shape[d]
        data[place] = number
    head = f"{{'descr': '<f8', 'fortran_order': {fortran}, 'shape': {tuple(shape)}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(data)}d", *data))


def elements(data):
    """The doubles of an .npy file."""
    start_of_data = 10 + struct.unpack("<H", data[8:10])[0]
    return list(struct.unpack(f"<{(len(data) - start_of_data) // 8}d", data[start_of_data:]))


def files():
    """Ranks read the files that one process reads, and write the one that it writes."""
    random.seed(20261125)
    with tempfile.TemporaryDirectory() as folder:
        v, a, b = (pathlib.Path(folder, name) for name in ("v.npy", "a.npy", "b.npy"))
        numbers = [random.uniform(-1, 1) for _ in range(11 * 7)]
        for fortran in (False, True):
            save(a, (11, 7), numbers, fortran)
            for ranks in (2, 3):
                turned = output_of(ranks, folder, "transpose", "b", "--input", f"a={a}", "--model", "kokkos", "--variant", "packed")
                check("the transpose of the file", elements(turned) == [numbers[i * 7 + j] for j in range(7) for i in range(11)])
        save(a, (7, 7), numbers[:49], True)
        for sets, variant in ((5, "team"), (2, "rows")):
            for fortran in (False, True):
                save(v, (sets, 7, 9), [random.uniform(-1, 1) for _ in range(sets * 7 * 9)], fortran)
                given = ["--input", f"v={v}", "--input", f"a={a}", "--model", "openmp"]
                one = output_of(1, folder, "average_mv", "y", *given, "--variant", "team")
                check("as one process", output_of(3, folder, "average_mv", "y", *given, "--variant", variant) == one)
        scalar = output_of(3, folder, "yax", "result", "--input", f"a={a}", "--model", "openmp", "--variant", "team")
        check("as one process", scalar == output_of(1, folder, "yax", "result", "--input", f"a={a}", "--model", "openmp", "--variant", "team"))
        # One rank's folder has no such file: its rank and the file are named.
        command = f"exec {shlex.join(program)} --algorithm transpose --input a=a.npy --reps 1"
        pathlib.Path(folder, "empty").mkdir()
        done = start_apart(f"cd {folder} && {command}", f"cd {folder}/empty && {command}")
        check("the rank and its file", done.returncode == 2 and re.search("rank 1: .*a.npy: cannot be opened", done.stderr))
        one_variant = ["--algorithm", "transpose", "--model", "kokkos", "--variant", "packed", "--rows", "11", "--cols", "7", "--reps", "1"]
        status, _, err = start(3, *one_variant, "--output", f"b={folder}/none/b.npy")
        check("no such folder", status == 2 and len(own_lines(err)) == 1 and "none/b.npy: cannot be written" in err)
        # Rank 1 fails while it hands over its part.
        b.write_text("as it was")
        status, _, err = start(3, *one_variant, "--output", f"b={b}", fault=("error", 1, "MPI_Send", 1))
        check("an error of MPI", status == 3 and "MPI_Send" in err)
        check("the file is as it was", b.read_text() == "as it was")
        status, _, err = start(3, *one_variant, "--output", f"b={b}", fault=("error", 0, "pwrite", 1))
        check("a full disk", status == 2 and "No space left on device" in err)
        check("the file is as it was", b.read_text() == "as it was")


def refused():
    """What cannot be: said once, by name, exit status 2, and all ranks end."""
    for options, text in ((["--typo"], "no option --typo"), (["--diagnose"], "--diagnose: is for one process"),
                          (["--row-padding", "3"], "--row-padding: is for one process"),
                          (["--algorithm", "pipeline"], "no 'pipeline'"), (["--rows", "0"], "--rows 0"),
                          (["--variant", "tiled"], "tiled"), (["--rank-timeout", "0"], "--rank-timeout 0")):
        status, out, err = start(2, "--algorithm", "transpose", *options) if "--algorithm" not in options else start(2, *options)
        check("exit status 2", status == 2)
        check("said once", len(own_lines(err)) == 1 and text in own_lines(err)[0])
        check("no table", out == "")
    # One write a message: each is a packet here. In parts, the launcher's own words fall between them.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs:
        subprocess.run([*program, "--typo"], stderr=theirs, timeout=100, check=False)
        check("said in one write", re.fullmatch(r"miniapp: .*--typo.*\n", ours.recv(10_000).decode(), re.DOTALL))
    done = start_apart(*(f"exec {shlex.join(program)} --algorithm yax --rows {rows}" for rows in (9, 8)))
    check("other command lines", done.returncode == 2 and "rank 1 has another command line" in done.stderr)


def resumed():
    """A run whose second rank was killed goes on behind its last finished row, on as many ranks."""
    rows = ["311", "523", "711"]
    sweep = ["--algorithm", "yax", "--variant", "team", "--model", "kokkos", "--sweep", "rows=" + ",".join(rows), "--cols", "100",
             "--type", "f64", "--reps", "9"]
    check("the ceilings", start(3, *sweep)[0] == 0)
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder, "record.json")
        partial = pathlib.Path(folder, "record.json.partial")
        finished = []
        for call in (10, 20, 40, 80, 160):  # how many barriers a row takes depends on its time
            start(3, *sweep, "--json", str(record), fault=("kill", 1, "MPI_Barrier", call))
            finished = partial.read_text().splitlines()[1:] if partial.exists() else []
            if finished:
                break
        check("some rows are finished, not all", 0 < len(finished) < len(rows) and not record.exists())
        status, _, err = start(2, *sweep, "--json", str(record), "--resume")
        check("another number of ranks", status == 2 and len(own_lines(err)) == 1 and "its ranks is '3" in err)
        status, out, err = start(3, *sweep, "--json", str(record), "--resume")
        check("it goes on", status == 0 and f"{len(finished)} of 3 rows measured" in err and out.count("results verified") == 1)
        entries = [e for e in json.loads(record.read_text())["benchmarks"] if "median_seconds" in e]
        check("all rows", len(entries) == 3 and all(e["verified"] and len(e["rank_seconds"]) == 3 for e in entries))
        times = sorted(json.loads(finished[0])["portable"]["seconds"])
        check("the first one's times", abs(entries[0]["median_seconds"] - times[len(times) // 2]) < 1e-9)
        check("nothing is left", [p.name for p in pathlib.Path(folder).iterdir()] == ["record.json"])


RUN = ["--algorithm", "transpose,yax", "--model", "kokkos,openmp", "--rows", "300", "--cols", "200", "--reps", "5", "--type", "f64"]
# fault, function, call -> exit status (0: any but 0), what is said
FAULTS = {
    "kill": [("MPI_Waitany", 3, 0, ""), ("MPI_Barrier", 2, 0, "")],
    # The first three messages are the oracle's.
    "error": [("MPI_Isend", 4, 3, "miniapp: rank 1 .*MPI_Isend"), ("MPI_Waitany", 2, 3, "miniapp: rank 1 .*MPI_Waitany")],
    "hang": [("MPI_Waitany", 3, 3, r"miniapp: rank \d .*heard nothing for"), ("MPI_Barrier", 5, 3, "rank 1 .*waits for the others")],
    "crash": [("MPI_Isend", 4, 7, r"miniapp: rank 1 \(.*\): crashed: segmentation fault \(SIGSEGV\) in \w+/\w+, row "
               r"transpose/rows:300/cols:200/.*; all ranks end; finished rows are in .*record.json.partial")],
    "endless": [("MPI_Waitany", 3, 7, r"miniapp: rank 1 \(.*\): \w+/\w+ did not end within 3 s \(--kernel-timeout\), row "
                 "transpose/rows:300/.*; all ranks end")],
    "stop": [("MPI_Barrier", 5, 3, r"miniapp: rank 0 .* has waited 5 s for rank 1 \(stopped\)(, rank 2 \(at work\))? in \w+/\w+, row transpose/"),
             ("MPI_Waitany", 3, 3, r"miniapp: rank 0 .* has waited 5 s for rank 1 \(stopped\)(, rank 2 \(at work\))? in \w+/\w+, row transpose/")],
    "delay": [("MPI_Isend", 4, 0, None), ("MPI_Barrier", 4, 0, None)],
    # Before come a run on other inputs, which nobody judges, and the oracle's messages.
    # The fifth goes to the last rank, the sixth to the first. All have a common oracle; see one_rank.
    "flip": [("MPI_Isend", call, 1, r"kokkos/packed: WRONG: rank \d: |kokkos/packed: rank \d: WRONG") for call in (5, 6)],
}


def one_rank():
    """What is wrong on one rank alone, and nowhere else, is told by the first."""
    global program
    program = [f"{miniapp}_broken", *on_the_host]
    status, out, _ = start(3, "--algorithm", "average", "--variant", "one_rank", "-N", "7", "-L", "5", "-M", "33", "--reps", "5")
    check("exit status", status == 1)
    check("the rank is named", re.search(r"rank 1: WRONG in (timed )?run \d", " ".join(out.split())))


def strike():
    """A fault on rank 1 of 3: the program ends in time, says what it was, and no record is half-written."""
    check("the ceilings", start(3, *RUN)[0] == 0)  # no fault strikes while these are measured
    for function, call, wanted, said in FAULTS[case]:
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "record.json")
            patience = {"hang": ["--rank-timeout", "10"], "stop": ["--rank-timeout", "10"],
                        "endless": ["--kernel-timeout", "3"]}.get(case, [])
            status, out, err = start(3, *RUN, *patience, "--json", str(record), fault=(case, 1, function, call), limit=60)
            if said is None:
                check("right, only late", status == 0 and "results verified" in out)
                continue
            check("the exit status", status == wanted or (wanted == 0 and status != 0))
            text = out + err
            check(f"{said!r} is said", re.search(said, text))
            check("no half record", not record.exists() or json.loads(record.read_text()))
            check("no record of a run that ended early", wanted == 1 or not record.exists())


{"listed": listed, "right": right, "skipped": skipped, "peers": peers, "bits": bits, "files": files, "resumed": resumed,
 "refused": refused, "gpu": gpu, "one_rank": one_rank}.get(case, strike)()
