#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mini-app on many ranks, as a user starts it, and with faults of MPI.

    miniapp_ranks.py MPIEXEC FLAG MINIAPP FAULTS CASE

FAULTS is the library of faults.cpp. CASE: right, refused, or the name of a fault.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

mpiexec, flag, miniapp, faults, case = sys.argv[1:6]
CEILINGS = pathlib.Path(tempfile.mkdtemp(), "ceilings.json")  # measured once for each number of ranks


def start(ranks, *options, fault=None, limit=100):
    """Exit status, stdout and stderr. fault: what, rank, function, call."""
    environment = dict(os.environ)
    if fault:
        environment.update(LD_PRELOAD=faults, ADO_FAULT=fault[0], ADO_FAULT_RANK=str(fault[1]), ADO_FAULT_IN=fault[2],
                           ADO_FAULT_CALL=str(fault[3]))
    begin = time.monotonic()
    done = subprocess.run([mpiexec, flag, str(ranks), miniapp, *options, "--ceilings", str(CEILINGS)], env=environment, capture_output=True, text=True,
                          timeout=limit, check=False)
    print(f"-- {ranks} ranks, {options}, {fault}: {done.returncode} after {time.monotonic() - begin:.1f} s")
    print(done.stdout[-1500:], done.stderr[-1500:], sep="\n")
    return done.returncode, done.stdout, done.stderr


def check(what, holds):
    if not holds:
        sys.exit(f"FAILED: {what}")


def own_lines(text):
    """What the mini-app said, without the launcher's words."""
    return [line for line in text.splitlines() if line.startswith("miniapp: ")]


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


def refused():
    """What cannot be: said once, by name, exit status 2, and all ranks end."""
    for options, text in ((["--typo"], "no option --typo"), (["--resume", "--json", "x.json"], "--resume: is for one process"),
                          (["--algorithm", "pipeline"], "no 'pipeline'"), (["--rows", "0"], "--rows 0"),
                          (["--variant", "tiled"], "tiled"), (["--rank-timeout", "0"], "--rank-timeout 0")):
        status, out, err = start(2, "--algorithm", "transpose", *options) if "--algorithm" not in options else start(2, *options)
        check("exit status 2", status == 2)
        check("said once", len(own_lines(err)) == 1 and text in own_lines(err)[0])
        check("no table", out == "")
    done = subprocess.run([mpiexec, flag, "1", miniapp, "--algorithm", "yax", "--rows", "9", ":", flag, "1", miniapp,
                           "--algorithm", "yax", "--rows", "8"], capture_output=True, text=True, timeout=100, check=False)
    check("other command lines", done.returncode == 2 and "rank 1 has another command line" in done.stderr)


RUN = ["--algorithm", "transpose,yax", "--model", "kokkos,openmp", "--rows", "300", "--cols", "200", "--reps", "5", "--type", "f64"]
# fault, function, call -> exit status (0: any but 0), what is said
FAULTS = {
    "kill": [("MPI_Waitany", 3, 0, ""), ("MPI_Barrier", 2, 0, "")],
    # The first three messages are the oracle's.
    "error": [("MPI_Isend", 4, 3, "miniapp: rank 1 .*MPI_Isend"), ("MPI_Waitany", 2, 3, "miniapp: rank 1 .*MPI_Waitany")],
    "hang": [("MPI_Waitany", 3, 3, r"miniapp: rank \d .*heard nothing for"), ("MPI_Barrier", 5, 3, "rank 1 .*waits for the others")],
    "delay": [("MPI_Isend", 4, 0, None), ("MPI_Barrier", 4, 0, None)],
    "flip": [("MPI_Isend", 4, 1, r"kokkos/packed: rank \d: WRONG")],
}


def strike():
    """A fault on rank 1 of 3: the program ends in time, says what it was, and no record is half-written."""
    check("the ceilings", start(3, *RUN)[0] == 0)  # no fault strikes while these are measured
    for function, call, wanted, said in FAULTS[case]:
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "record.json")
            patience = ["--rank-timeout", "10"] if case == "hang" else []
            status, out, err = start(3, *RUN, *patience, "--json", str(record), fault=(case, 1, function, call), limit=60)
            if said is None:
                check("right, only late", status == 0 and "results verified" in out)
                continue
            check("the exit status", status == wanted or (wanted == 0 and status != 0))
            text = out + err
            check(f"{said!r} is said", re.search(said, text))
            check("no half record", not record.exists() or json.loads(record.read_text()))
            check("no record of a run that ended early", wanted == 1 or not record.exists())


{"right": right, "refused": refused}.get(case, strike)()
