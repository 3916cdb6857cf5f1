#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ranks_model.py says of messages beside what SimGrid's SMPI simulates on the same machine, for more of them.

    benchmarks/ranks_model/simulate.py [MOST_RANKS]    prints the table of docs/lab/scale-model.md; needs SimGrid 3.32
                                                       (Debian 12: libsimgrid-dev); 512 ranks take some minutes
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import ranks_model as model  # noqa: E402

# One link is one rank's, in each direction. No TCP: nothing but bandwidth and latency.
CONFIG = ("smpi/alltoall:ring", "smpi/allgather:rdb", "smpi/simulate-computation:no", "smpi/bw-factor:0:1",
          "smpi/lat-factor:0:1", "network/crosstraffic:0", "network/TCP-gamma:1e15", "network/weight-S:0",
          "smpi/os:0:0:0", "smpi/or:0:0:0", "smpi/ois:0:0:0", "smpi/async-small-thresh:0",
          "smpi/shared-malloc-blocksize:1073741824")
CASES = [("transpose", 2**30, group, ranks) for group, counts in ((1, (2, 8, 16, 64, 256, 512)), (8, (64, 256, 512)))
         for ranks in counts] + [("transpose", 2**20, group, ranks) for ranks in (64, 512) for group in (1, 8)]
CASES += [("transpose", 2**20, 16, 256), ("yax", 2**19, 1, 8), ("yax", 2**19, 1, 64), ("yax", 2**19, 1, 512)]


def platform(ranks):
    """Hosts of 8 GPUs around a switch, and a network among all hosts that is never full."""
    hosts, each = max(1, ranks // model.HOST), min(model.HOST, ranks)
    lines = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
             '<platform version="4.1"><zone id="all" routing="Full">']
    for host in range(hosts):
        first = host * model.HOST
        lines.append(f'<cluster id="host{host}" prefix="gpu" suffix="" radical="{first}-{first + each - 1}" speed="1Gf" '
                     f'bw="{model.LINK}Bps" lat="{model.ALPHA / 2}s" sharing_policy="SPLITDUPLEX" router_id="r{host}"/>')
        lines += [f'<link id="{way}{host}" bandwidth="{each * model.NIC}Bps" latency="0s"/>' for way in ("up", "down")]
    for a in range(hosts):
        lines += [f'<zoneRoute src="host{a}" dst="host{b}" gw_src="r{a}" gw_dst="r{b}" symmetrical="NO">'
                  f'<link_ctn id="up{a}"/><link_ctn id="down{b}"/></zoneRoute>' for b in range(hosts) if a != b]
    return "\n".join([*lines, "</zone></platform>"])


def simulated(folder, what, size, group, ranks):
    (folder / "platform.xml").write_text(platform(ranks))
    (folder / "hosts").write_text("\n".join(f"gpu{k}" for k in range(ranks)))
    done = subprocess.run(["smpirun", "-np", str(ranks), "-platform", folder / "platform.xml", "-hostfile",
                           folder / "hosts", *(f"--cfg={value}" for value in CONFIG), folder / "skeleton", what,
                           str(size), str(group)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"smpirun: {done.stderr[-2000:]}")
    return float(done.stdout.split()[-1])


def main():
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["smpicc", "-O1", HERE / "skeleton.c", "-o", folder / "skeleton"], check=True,
                       env={**os.environ, "TMPDIR": name})
        for what, size, group, ranks in CASES:
            if ranks > most:
                continue
            said = model.gather(size, ranks) if what == "yax" else model.all_to_all(size, ranks, group)
            seen = simulated(folder, what, size, group, ranks)
            name = f"all-gather of {size // 1024} KiB" if what == "yax" else f"all-to-all, {size // 2**20} MiB a rank"
            rows.append([name, str(ranks), str(group), f"{1e3 * said:.4g}", f"{1e3 * seen:.4g}", f"{said / seen:.2f}"])
    heads = ["messages", "ranks", "first in groups of", "model, ms", "simulated, ms", "model over simulated"]
    print(model.table(heads, rows))


if __name__ == "__main__":
    main()
