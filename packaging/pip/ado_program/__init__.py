# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program ado of this package: `ado run`, `ado report`, ..."""
import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).with_name("bin") / "ado"
    os.execv(program, ["ado", *sys.argv[1:]])
