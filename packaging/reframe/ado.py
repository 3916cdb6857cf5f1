# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ado as a ReFrame test (4.x): every result is right, and the time of each way to write Kokkos over the best by hand.

    reframe -c packaging/reframe/ado.py -r -S executable=$PWD/build/openmp/bin/miniapp
    reframe -c packaging/reframe/ado.py -r -S executable=miniapp -S options=--backend,cuda -n yax

A `reference` of your systems makes it fail where a ratio or a time leaves its bounds.
"""
import json
import pathlib

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typing


@rfm.simple_test
class AdoWays(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    algorithm = parameter(["average", "average_mv", "transpose", "yax", "vector_add"])  # noqa: F821 ReFrame gives it
    options = variable(typing.List[str], value=[])  # noqa: F821 further ones of the mini-app
    executable = "miniapp"
    maintainers = ["ado"]

    @run_before("run")  # noqa: F821
    def set_options(self):
        self.executable_opts = ["--algorithm", self.algorithm, "--variant", "plain,team,tuned", "--json", "run.json", *self.options]

    @deferrable  # noqa: F821
    def ways(self):
        """{way: its entry} of the record."""
        record = json.loads((pathlib.Path(self.stagedir) / "run.json").read_text())
        if record["context"]["record_version"] != 1:
            raise ValueError("this test reads records of version 1")
        return {e["variant"]: e for e in record["benchmarks"] if e["model"] == "kokkos" and e.get("repetition_index") == 0}

    @sanity_function  # noqa: F821
    def every_result_is_verified(self):
        return sn.assert_found(r"^([1-9]\d*) of \1 results verified", self.stdout)

    @run_before("performance")  # noqa: F821
    def set_performance(self):
        self.perf_variables = {}
        for way in ("plain", "team", "tuned"):
            self.perf_variables[f"{way}_over_by_hand"] = sn.make_performance_function(self.ways()[way]["portable_over_native"], "x")
            self.perf_variables[f"{way}_time"] = sn.make_performance_function(self.ways()[way]["median_seconds"], "s")
