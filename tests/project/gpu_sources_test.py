#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's way to a GPU where no Kokkos with CUDA is installed: it is built in the same folder. Compile only, with
small sources in the place of Kokkos' and Kokkos Kernels', and the headers of an installed Kokkos.

usage: gpu_sources_test.py SOURCE BUILD FOLDER...     FOLDERs hold Kokkos' headers with CUDA switched on
"""
import pathlib
import re
import subprocess
import sys
import tempfile

KEPT = ("CMAKE_CXX_COMPILER", "CMAKE_CUDA_COMPILER", "CMAKE_PREFIX_PATH", "CLI11_DIR", "nlohmann_json_DIR")
OF_ADO = "lib/CMakeFiles/ado_portable.dir/ado/vector_add/kokkos/tuned.cpp.o"
# An installed Kokkos for CPUs, as far as it is looked at before it is loaded.
FOR_CPUS = {"KokkosConfig.cmake": "", "KokkosConfigCommon.cmake": "set(Kokkos_DEVICES OPENMP;SERIAL)\n",
            "KokkosConfigVersion.cmake": "set(PACKAGE_VERSION 4.7.0)\n"}


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))
    kept = [f"-D{name}={cache[name]}" for name in KEPT if cache.get(name)]
    stand_ins = source / "tests/project/kokkos_sources"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def configure(*options):
            done = subprocess.run(["cmake", "--preset", "cuda", "-B", folder / "build", "-DKokkos_ARCH_HOPPER90=ON",
                                   "-DADO_TESTS=OFF", *kept, *options], cwd=source, capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        def build_only(*targets):
            done = subprocess.run(["ninja", "-C", folder / "build", *targets], capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr

        installed = folder / "lib/cmake/Kokkos"
        installed.mkdir(parents=True)
        for file, text in FOR_CPUS.items():
            (installed / file).write_text(text)
        status, screen = configure(f"-DCMAKE_PREFIX_PATH={folder}", "-DFETCHCONTENT_FULLY_DISCONNECTED=ON")
        assert status != 0 and re.search(r"installed: 4\.7\.0 in .* no\s+CUDA\s+backend", screen), screen
        assert "FETCHCONTENT_SOURCE_DIR_KOKKOS=DIR" in re.sub(r"\s+", "", screen), screen

        status, screen = configure(f"-DFETCHCONTENT_SOURCE_DIR_KOKKOS={stand_ins}/kokkos",
                                   f"-DFETCHCONTENT_SOURCE_DIR_KOKKOSKERNELS={stand_ins}/kokkos_kernels",
                                   f"-DSTAND_IN_INCLUDES={';'.join(sys.argv[3:])}", "-DFETCHCONTENT_FULLY_DISCONNECTED=OFF",
                                   "-U", "Kokkos_DIR")
        assert status == 0, screen
        for line in (r"Kokkos +4\.7\.0+ with cuda, openmp, serial: built here from .*/kokkos",
                     r"Kokkos Kernels 4\.7\.0+: built here from .*/kokkos_kernels", r"CUDA .* architecture 90, Kokkos by .*nvcc"):
            assert re.search(line, screen), screen
        build_only("kokkoscore")
        build_only("kokkoskernels")
        build_only(OF_ADO)


if __name__ == "__main__":
    main()
