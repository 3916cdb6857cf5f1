#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins result files of one machine and build in one, with the context of the first and the command lines of all.

    benchmarks/join.py JOINED.json FILE.json...
"""
import json
import pathlib
import sys

from measured import RecordError, load, require_same_build


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    joined, *paths = map(pathlib.Path, sys.argv[1:])
    found = []
    for path in paths:
        context, _ = load(path)
        found.append(json.loads(path.read_text()))
        require_same_build(context, path, found[0]["context"], paths[0])
    whole = found[0]
    whole["context"]["command_lines"] = [one["context"]["command_line"] for one in found]
    whole["benchmarks"] = [entry for one in found for entry in one["benchmarks"]]
    joined.write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except RecordError as error:
        sys.exit(str(error))
