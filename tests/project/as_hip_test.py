#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`team` is one source for all backends: hipcc compiles it for an AMD GPU, compile only. No kernel may keep
in memory what belongs into registers.

usage: as_hip_test.py SOURCE KOKKOS     KOKKOS has the headers of an installed Kokkos, of any backend
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GPU = "gfx90a"
ON = ("KOKKOS_ENABLE_HIP", "KOKKOS_ENABLE_SERIAL", "KOKKOS_ARCH_AMD_GFX90A", "DESUL_ATOMICS_ENABLE_HIP")
BACKENDS = {"Declare": ("decl/Kokkos_Declare_HIP.hpp", "decl/Kokkos_Declare_SERIAL.hpp"),
            "Fwd": ("fwd/Kokkos_Fwd_HIP.hpp", "fwd/Kokkos_Fwd_SERIAL.hpp"), "Setup": ("setup/Kokkos_Setup_HIP.hpp",)}


def write_configuration(kokkos, folder):
    """Copies of the headers that say what Kokkos was built for, with HIP and Serial and nothing else."""
    for name in ("KokkosCore_config.h", "desul/atomics/Config.hpp"):
        text = (kokkos / name).read_text()
        text = re.sub(r"#define (\w+_ENABLE_(?:OPENMP|THREADS|CUDA)\w*)", r"/* #undef \1 */", text)
        for switch in ON:
            text = text.replace(f"/* #undef {switch} */", f"#define {switch}")
        text = text.replace("/* #undef KOKKOS_ARCH_AMD_GPU */", f'#define KOKKOS_ARCH_AMD_GPU "{GPU}"')
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for part, headers in BACKENDS.items():
        lines = ["#pragma once", *(f"#include <{header}>" for header in headers)]
        (folder / f"KokkosCore_Config_{part}Backend.hpp").write_text("\n".join(lines) + "\n")


def main():
    source, kokkos = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    files = sorted(source.glob("lib/ado/*/kokkos/team.cpp"))
    assert len(files) >= 5, files
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_configuration(kokkos, folder)

        def compiled(file):
            out = folder / f"{file.parent.parent.name}.s"
            done = subprocess.run(
                ["hipcc", "-x", "hip", f"--offload-arch={GPU}", "--cuda-device-only", "-S", "-std=c++20", "-O2", "-Wno-unused-command-line-argument",
                 "-I", source / "lib", "-isystem", folder, "-isystem", kokkos, file, "-o", out],
                capture_output=True, text=True, env={**os.environ, "HCC_AMDGPU_TARGET": GPU})
            if done.returncode:
                return f"{file}: exit status {done.returncode}\n{done.stderr[-3000:]}"
            in_memory = re.findall(r"\.private_segment_fixed_size: *(\d+)", out.read_text())  # bytes of each kernel
            print(f"{file.parent.parent.name}: {len(in_memory)} kernels")
            return "" if in_memory and not any(map(int, in_memory)) else f"{file}: bytes of kernels in memory: {in_memory}"

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            problems = [problem for problem in pool.map(compiled, files) if problem]
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
