#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants the bugs of mutations.txt one at a time and sees whether a test fails.

    tests/mutation/run.py --check [BUILD]           every text still stands exactly once in its file; BUILD has its tests
    tests/mutation/run.py BUILD [-o TABLE.tsv]      plants, builds, tests; resumes an interrupted table
    tests/mutation/run.py BUILD --only NAME ...

BUILD is a configured build folder of this tree, best of a copy of it: sources are changed, and put back
after each bug, also on Ctrl-C. The table has a line a bug: caught by which tests, SURVIVED, or skipped, where
this build cannot have its tests, those of many ranks without MPI say. Exit status 0: no bug survived; 1: one did; 2: a
text does not stand once, or a bug does not compile.
"""
import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LISTS = ("mutations.txt", "races.txt")


class Mutation:
    def __init__(self, block):
        head = re.fullmatch(r"\[(\w+)\] (\S+)", block[0])
        if not head:
            sys.exit(f"{block[0]!r} is no head of a block")
        self.name, self.file = head[1], head[2]
        self.text = "\n".join(line[2:] for line in block if line.startswith("- "))
        self.replacement = "\n".join(line[2:] for line in block if line.startswith("+ "))
        for key in ("breaks", "tests", "build"):
            found = [line[len(key) :].strip() for line in block if line.startswith(key + " ")]
            if len(found) != 1:
                sys.exit(f"{self.name}: {len(found)} lines begin with {key}")
            setattr(self, key, found[0])

    def problem(self):
        """Why it cannot be planted; empty where it can."""
        path = ROOT / self.file
        if not path.exists():
            return f"there is no {self.file}"
        count = path.read_text().count(self.text)
        if count != 1:
            return f"its text stands {count} times in {self.file}"
        return "its replacement is its text" if self.text == self.replacement else ""


def read_list(name):
    blocks = [[]]
    for line in (HERE / name).read_text().splitlines():
        if not line:
            blocks.append([])
        elif not line.startswith("#"):
            blocks[-1].append(line)
    mutations = [Mutation(block) for block in blocks if block]
    names = [m.name for m in mutations]
    if len(set(names)) != len(names):
        sys.exit(f"{name}: a name stands twice")
    return mutations


def check(build):
    mutations = [m for name in LISTS for m in read_list(name)]
    problems = [f"{m.name}: {m.problem()}" for m in mutations if m.problem()]
    if build:
        names = re.findall(r"Test +#\d+: (.+)", output_of(["ctest", "--test-dir", build, "-N"])[1])
        problems += [f"{m.name}: {build} has no test {m.tests}" for m in read_list("mutations.txt")
                     if not any(re.search(m.tests, name) for name in names) and not stand_in(m, build)]
    print("\n".join(problems + [f"{len(mutations)} bugs, {len(problems)} of them cannot be planted"]))
    return 2 if problems else 0


def output_of(command):
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def runs_in_what_is_built(mutation, build):
    """Whether the programs that are built hold a test of its; one that is not built anew catches nothing."""
    if re.match(r"\^[a-z]", mutation.tests):  # no suite of googletest: ctest knows whether there is one
        return True
    programs = [name for name in mutation.build.split() if name.endswith("_test")]
    names = []
    for program in programs:
        suite = ""
        for line in output_of([f"{build}/bin/{program}", "--gtest_list_tests"])[1].splitlines():
            if line.startswith(" "):
                names.append(suite + line.split()[0])
            else:
                suite = line.split()[0] if line else ""
                if "# TypeParam" in line:  # Suite/0, which ctest calls Suite.Test<type>
                    suite = re.sub(r"/\d+\.$", ".", suite)
    return not programs or any(re.search(mutation.tests, name) for name in names)


def stand_in(mutation, build):
    """The test that is there for those that the build cannot have; empty where it has them. See ado_skipped_test()."""
    if not (group := re.match(r"\^(\w+)\\\.", mutation.tests)):
        return ""
    listed = output_of(["ctest", "--test-dir", build, "-N", "-R", f"^{group[1]}$"])[1]
    return group[1] if re.search(rf"Test +#\d+: {group[1]}$", listed, re.MULTILINE) else ""


def verdict_of(mutation, build):
    """Of the tree as it is now."""
    status, text = output_of(["cmake", "--build", build, "--target", *mutation.build.split()])
    if status != 0:
        return "does not compile", next((line for line in text.splitlines() if "error:" in line), "")
    if not runs_in_what_is_built(mutation, build):
        return "no test ran", f"none of {mutation.build} has {mutation.tests}"
    status, text = output_of(["ctest", "--test-dir", build, "-R", mutation.tests, "--no-tests=error", "--timeout", "120", "--stop-on-failure"])
    # A name may have spaces: Suite.Test<unsigned char>.
    failed = re.findall(r"Test +#\d+: (.+?) \.+\** *(?:Failed|.*Exception|.*Timeout|Subprocess aborted)", text)
    if failed:
        return "caught", failed[0]
    if status != 0:
        return "no test ran", text.splitlines()[-1] if text else ""
    return ("SURVIVED", "") if re.search(r" Passed ", text) else ("skipped", "as its tests are in this build")


def plant(mutation, build):
    path = ROOT / mutation.file
    original = path.read_text()
    try:
        path.write_text(original.replace(mutation.text, mutation.replacement))
        return verdict_of(mutation, build)
    finally:
        path.write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", metavar="BUILD")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[])
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="TABLE.tsv", help="BUILD/mutations.tsv if not given")
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.build)
    if not arguments.build:
        parser.error("BUILD is missing")
    output = arguments.output or pathlib.Path(arguments.build, "mutations.tsv")
    done = {}
    if output.exists():
        done = {line.split("\t")[0]: line.split("\t")[1] for line in output.read_text().splitlines()}
    for mutation in read_list("mutations.txt"):
        if mutation.name in done or (arguments.only and mutation.name not in arguments.only):
            continue
        if problem := mutation.problem():
            sys.exit(f"{mutation.name}: {problem}")
        absent = stand_in(mutation, arguments.build)
        verdict, detail = ("skipped", f"this build has no {absent}") if absent else plant(mutation, arguments.build)
        done[mutation.name] = verdict
        with output.open("a") as table:
            table.write("\t".join((mutation.name, verdict, detail, mutation.breaks)) + "\n")
        print(f"{mutation.name}: {verdict} {detail}", flush=True)
    verdicts = list(done.values())
    print(", ".join(f"{verdicts.count(v)} {v}" for v in sorted(set(verdicts))))
    if any(v not in ("caught", "SURVIVED", "skipped") for v in verdicts):
        return 2
    return 1 if "SURVIVED" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
