#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nothing but the set-up of a build asks the network, and that for files whose hashes are pinned.

usage: offline.py SOURCE BUILD      BUILD was configured; what it downloaded is there
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WITHOUT_NETWORK = ["unshare", "--map-root-user", "--net"]
# Functions of the C library without which no program reaches another machine.
NETWORK = {"socket", "connect", "getaddrinfo", "gethostbyname", "gethostbyname_r"}
KEPT = re.compile(r"CMAKE_CXX_COMPILER|CMAKE_BUILD_TYPE|CMAKE_CXX_FLAGS|Kokkos_DIR|ADO_(?:KOKKOS|KOKKOS_KERNELS|CUDA|ARCH)"
                  r"|FETCHCONTENT_SOURCE_DIR_\w+")


def check_pins(source):
    """Every address that CMake loads from has a hash beside it, and pip demands the wheel's."""
    count = 0
    for file in sorted((source / "cmake").glob("*.cmake")):
        text = file.read_text()
        addresses = set(re.findall(r"https?://\S+\.(?:tar\.[a-z0-9]+|zip|whl)", text))
        hashes = re.findall(r"\b[0-9a-f]{64}\b", text)
        assert len(hashes) >= len(addresses), f"{file.name}: {len(addresses)} addresses, {len(hashes)} hashes"
        for declaration in re.findall(r"FetchContent_Declare\(([^)]*)\)", text):
            assert re.search(r"URL_HASH SHA256=", declaration), f"{file.name}: {declaration}"
        if "pip download" in text:
            assert "--require-hashes" in text and hashes, f"{file.name}: pip does not ask for a hash"
        count += len(addresses) + ("pip download" in text)
    assert count >= 5, f"only {count} downloads found; are they written in another way now?"
    print(f"{count} downloads, each with its hash")


def check_imports(program):
    symbols = subprocess.run(["readelf", "--wide", "--dyn-syms", program], check=True, capture_output=True, text=True).stdout
    names = set(re.findall(r" UND (\w+)", symbols))
    assert "memcpy" in names, f"{program}: its imports are not to be read"
    assert not names & NETWORK, f"{program} calls {names & NETWORK}"


def check_failed_download(source, cache):
    """Where the prebuilt Kokkos cannot be downloaded, that is said, and nothing half-made is left."""
    with tempfile.TemporaryDirectory() as folder:
        options = [f"-D{name}={cache[name]}" for name in ("CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS") if cache.get(name)]
        done = subprocess.run([*WITHOUT_NETWORK, "cmake", "-G", "Ninja", "-S", source, "-B", folder, "-DADO_KOKKOS=wheel",
                               "-DADO_CUDA=off", *options], capture_output=True, text=True, env={**os.environ, "PIP_RETRIES": "0"})
        assert done.returncode != 0 and "No Kokkos to build with" in done.stderr, done.stdout + done.stderr
        left = list(pathlib.Path(folder).glob("_deps/pygenten*"))
        assert not left, left


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    check_pins(source)
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))
    if "/cuda" not in cache.get("Kokkos_DIR", ""):
        check_imports(build / "bin/miniapp")
    if subprocess.run([*WITHOUT_NETWORK, "true"], capture_output=True).returncode != 0:
        print("skipped: offline: a network of its own is not allowed here")
        return
    reached = subprocess.run([*WITHOUT_NETWORK, "cat", "/proc/net/route"], check=True, capture_output=True, text=True).stdout
    assert len(reached.splitlines()) <= 1, f"there is still a way out: {reached}"
    with tempfile.TemporaryDirectory(dir=build) as folder:  # beside what was downloaded
        options = [f"-D{name}={value}" for name, value in cache.items() if value and KEPT.fullmatch(name)]
        done = subprocess.run([*WITHOUT_NETWORK, "cmake", "-G", "Ninja", "-S", source, "-B", folder, "-DADO_TESTS=ON", *options],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    check_failed_download(source, cache)
    run = subprocess.run([*WITHOUT_NETWORK, build / "bin/miniapp", "--algorithm", "all", "--variant", "team,overlapped", "--reps", "1",
                          "--rows", "33", "--cols", "65", "-N", "3", "-M", "9", "-L", "5", "-n", "1000", "--chunks", "3",
                          "--chunk-elements", "100", "--work-per-element", "1"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    print("configured and run without a network")


if __name__ == "__main__":
    main()
