# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Ado(CMakePackage):
    """Memory-bound kernels in Kokkos beside hand-written twins, and a mini-app that compares them."""

    git = Path(__file__).resolve().parents[6].as_uri()  # the clone that this file is in

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    variant("cuda", default=False, description="Run on NVIDIA GPUs")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cli11@2.1.2:", type="build")
    depends_on("nlohmann-json@3:", type="build")
    depends_on("kokkos@4.5:5 +openmp")
    depends_on("kokkos +cuda+cmake_lang", when="+cuda")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        return [
            self.define("ADO_TESTS", False),
            self.define("ADO_KOKKOS", "installed"),
            self.define("ADO_CUDA", "on" if self.spec.satisfies("+cuda") else "off"),
            # Spack does not know those that the machine may have.
            self.define("ADO_KOKKOS_KERNELS", False),
            self.define("ADO_OPENBLAS", False),
            self.define("ADO_EIGEN", False),
        ]
