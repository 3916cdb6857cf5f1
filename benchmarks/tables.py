#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the tables of the pages again, from the result files: no figure in them is written by hand.

    benchmarks/tables.py [--check]     --check changes nothing; exit status 1 where it would

A table stands in a page of docs between `<!-- made by COMMAND -->` and `<!-- end -->`: a program of this folder and its
arguments, in which * stands for any name in benchmarks/results.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results"


def made_by(command):
    program, *words = shlex.split(command)
    arguments = [str(name) for word in words for name in (sorted(RESULTS.glob(word)) or [word])]
    done = subprocess.run([sys.executable, HERE / program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr.strip()}")
    return done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where it would")
    check = parser.parse_args().check
    old, count = [], 0
    for page in sorted((HERE.parent / "docs").rglob("*.md")):
        text = page.read_text()
        new = re.sub(r"<!-- made by (.+?) -->\n.*?<!-- end -->",
                     lambda found: f"<!-- made by {found[1]} -->\n{made_by(found[1])}\n<!-- end -->", text, flags=re.S)
        count += new.count("<!-- made by ")
        if new != text:
            old.append(page.name)
            if not check:
                page.write_text(new)
    print(f"{count} tables" + (f"; {'not those of the results' if check else 'made anew'} in {', '.join(old)}" if old else ""))
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
