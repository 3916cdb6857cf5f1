#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws bugs from all sources and sees which ones no test finds: run.py's are chosen, and who chooses knows the tests.

    tests/mutation/drawn.py FOLDER [--count 300] [--seed 22] [--jobs 2] [--gpu] [-D... for CMake]

Each bug is one place of lib or miniapp, with --gpu of lib or native_cuda: an operator becomes its neighbour (< <=, == !=, + -, * +, / *),
an integer the next one, a condition its opposite, a statement goes. All are compiled into one program (drawn.hpp),
whose environment says which one is on; those that do not compile go. FOLDER gets two copies of the committed
tree, one with the bugs and its build, and tests.tsv: which test comes by which bug. Then each bug runs the tests that come by it, quick ones
first, until one fails: table.tsv. A run that was broken off goes on where it was. --gpu: bugs of kernels alone, in a
CUDA build, judged by the battery's cases that come by them (cases.tsv).

Places are found by the format of the sources, not by a parser: clang-format puts a space on each side of a binary
operator and none inside templates.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = {"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual", "==": "Equal", "!=": "Unequal", "+": "Plus",
         "-": "Minus", "*": "Times", "/": "Over", "%": "Modulo"}
OTHERS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "/": "*", "%": "*"}
QUIET = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*')
NOT_CODE = re.compile(r"^\s*(#|//|///|\*|using |template|static_assert|namespace|constexpr|inline constexpr|return;|case |struct |class )")


def masked(line):
    """The line with texts and comments blanked."""
    return QUIET.sub(lambda found: " " * len(found[0]), line)


def places_of(path):
    """[(line, begin, end, replacement with {id}, what it does)] of a file."""
    found = []
    lines = path.read_text().splitlines()
    before = "{"
    in_raw = in_macro = False
    for number, line in enumerate(lines):
        was_macro, in_macro = in_macro, line.endswith("\\")
        if 'R"(' in line:
            in_raw = True
        edge_shapes = re.fullmatch(r"[\s{}(),;\d]+(?:return \{)?", line)  # what tests run on is no code
        if in_raw or was_macro or in_macro or edge_shapes or NOT_CODE.match(line) or not line.startswith("  "):
            in_raw = in_raw and ')"' not in line
            before = line
            continue
        code = masked(line)
        for place in re.finditer(r" (<=|>=|==|!=|[<>+\-*/%]) (?=[^=>])", code):
            sign = place[1]
            found.append((number, place.start(1), place.end(1), f"{sign} ado_mutant::{NAMES[sign]}<{{id}}>{{{{}}}} {sign}",
                          f"{sign} becomes {OTHERS[sign]}"))
        for place in re.finditer(r"(?<![\w.'#<])(\d+)(?![\w.'])", code):
            found.append((number, place.start(1), place.end(1), f"ado_mutant::next<{{id}}, {place[1]}>()",
                          f"{place[1]} becomes {int(place[1]) + 1}"))
        for place in re.finditer(r"\b(if|while) \(", code):
            level, end = 1, place.end()
            while end < len(code) and level:
                level += {"(": 1, ")": -1}.get(code[end], 0)
                end += 1
            inside = line[place.end():end - 1]
            if not level and ";" not in inside and " = " not in inside:
                found.append((number, place.end(), end - 1, "ado_mutant::flip<{id}>(static_cast<bool>(" +
                              inside.replace("{", "{{").replace("}", "}}") + "))", "the condition is its opposite"))
        statement = re.match(r"^( +)([\w.:>\[\]()*-]+ [-+*/|&^]?= .*|[\w.:>-]+\(.*\));$", code)
        if statement and masked(before).rstrip().endswith((";", "{", "}")) and not re.match(r" +(return|throw|delete|ASSERT)", code):
            begin = len(statement[1])
            found.append((number, begin, len(line.rstrip()), "if (!ado_mutant::on<{id}>()) " +
                          line.strip().replace("{", "{{").replace("}", "}}"), "the statement goes"))
        if code.strip():
            before = line
    return found


class Mutant:
    def __init__(self, file, place):
        self.file = file
        self.line, self.begin, self.end, self.replacement, self.what = place

    def key(self):
        return f"{self.file}:{self.line + 1}:{self.begin + 1}"


def draw(tree, count, seed):
    """{number: mutant} of so many, no two on one line, and of how many places."""
    every = [Mutant(name, place) for name in sources(tree) for place in places_of(tree / name)]
    random.Random(seed).shuffle(every)
    chosen = {}
    for mutant in every:
        chosen.setdefault((mutant.file, mutant.line), mutant)
    return dict(enumerate(list(chosen.values())[:count])), len(every)


def sources(tree):
    """Those that a build for a CPU compiles; with --gpu those of kernels."""
    if GPU:
        return [str(path.relative_to(tree)) for folder in ("lib", "native_cuda") for path in sorted((tree / folder).rglob("*"))
                if path.suffix in (".cpp", ".hpp", ".cu", ".cuh")
                and not {"core", "registry", "host", "bench", "openmp", "openblas", "eigen", "ranks", "distributed", "kokkos_kernels"} & set(path.parts)
                and not re.match("problem|openmp|reference|serial|accesses|host|plan_host|prepare|rounding", path.name)]
    return [str(path.relative_to(tree)) for folder in ("lib", "miniapp")
            for path in sorted((tree / folder).rglob("*")) if path.suffix in (".cpp", ".hpp") and "cuda" not in str(path.relative_to(tree / folder))]


def write(tree, source, mutants):
    """Puts all of them into the copy of the tree."""
    by_file = collections.defaultdict(list)
    for number, mutant in mutants.items():
        by_file[mutant.file].append((number, mutant))
    for name in sources(tree):
        lines = (tree / name).read_text().splitlines(keepends=True)
        for number, m in by_file[name]:
            text = lines[m.line]
            lines[m.line] = text[:m.begin] + m.replacement.format(id=number) + text[m.end:]
        if by_file[name]:
            lines.insert(1, f'#include "{source}/tests/mutation/drawn.hpp"\n#line 2\n')
        new = "".join(lines)
        if (source / name).read_text() != new:
            (source / name).write_text(new)


def build(source, mutants, options):
    """Builds; the numbers of mutants that do not compile."""
    folder = source / BUILD
    if not (folder / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "--preset", folder.name, "-DADO_TESTS=ON", *options], cwd=source, check=True, stdout=subprocess.DEVNULL)
    targets = ["--target", "battery"] if GPU else []
    done = subprocess.run(["cmake", "--build", folder, *targets, "--", "-k", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    if done.returncode == 0:
        return set()
    at = set(re.findall(r"((?:lib|miniapp|native_cuda)/[\w/.]+)[:(](\d+)[:)]", done.stdout)) | set(
        (file, line) for line, file in re.findall(r"line (\d+) of \S*?((?:lib|native_cuda)/[\w/.]+)", done.stdout))
    bad = {number for number, m in mutants.items() if (m.file, str(m.line + 1)) in at}
    if not bad:
        sys.exit(done.stdout[-3000:])
    return bad


def tests_of(source):
    """[(name, (command, environment), seconds, mutants that it comes by)]; kept in tests.tsv."""
    kept = source.parent / "tests.tsv"
    commands = commands_of(source)
    if not kept.exists():
        def look(item):
            name, command = item
            reached = source.parent / f"reached.{abs(hash(name))}"
            start = time.time()
            status, _ = run(source, command, 300, ADO_REACHED=str(reached))
            seconds = time.time() - start
            ids = sorted(set(map(int, reached.read_text().split()))) if reached.exists() else []
            reached.unlink(missing_ok=True)
            return f"{name}\t{seconds:.2f}\t{status}\t{' '.join(map(str, ids))}"
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            kept.write_text("\n".join(pool.map(look, commands.items())) + "\n")
    tests = []
    for line in kept.read_text().splitlines():
        name, seconds, status, ids = line.split("\t")
        if status == "0" and name in commands:
            tests.append((name, commands[name], float(seconds), set(map(int, ids.split()))))
    return tests


def commands_of(source):
    """{name: (command, environment)} of googletest's tests, and of the others that start a program of the build."""
    listed = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=source / BUILD, check=True, capture_output=True,
                                       text=True).stdout)["tests"]
    commands = {}
    for test in listed:
        words = " ".join(test.get("command", []))
        program = re.search(r"TEST_EXECUTABLE=(\S+)", words) or re.match(r"(\S+)", words)  # newer CMakes call it by a script
        name = re.search(r"(?:--gtest_filter|TEST_FILTER)=(\S+)", words)
        properties = {p["name"]: p["value"] for p in test["properties"]}
        labels, environment = properties.get("LABELS", []), dict(text.split("=", 1) for text in properties.get("ENVIRONMENT", []))
        if "nightly" in labels:
            continue
        if name:
            commands[test["name"]] = [program[1], f"--gtest_filter={name[1]}"], {**ENVIRONMENT, **environment}
        elif f"{source / BUILD}/bin/" in words and not test["name"].startswith("commands."):  # pages take minutes
            commands[test["name"]] = test["command"], {**ENVIRONMENT, **environment}
    return commands


def run(source, of, seconds, **variables):
    """Exit status, None after so many seconds, and what was printed. What the command started ends with it."""
    command, environment = of
    process = subprocess.Popen(command, cwd=source / BUILD / "tests", env={**os.environ, **environment, **variables}, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", start_new_session=True)
    try:
        out = process.communicate(timeout=seconds)[0]
        return process.returncode, out
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None, ""


def next_batch(tests):
    """Takes the quickest test, and of googletest's the next ones of its program."""
    first = tests.pop(0)
    (program, *_, last), environment = first[1]
    if not last.startswith("--gtest_filter="):
        return [first], first[1]
    batch, seconds = [first], first[2]
    for test in list(tests):
        (its_program, *_, filter_), its_environment = test[1]
        alike = its_program == program and filter_.startswith("--gtest_filter=") and its_environment == environment
        if alike and len(batch) < 40 and seconds + test[2] < 20:
            batch.append(test)
            seconds += test[2]
            tests.remove(test)
    names = ":".join(test[1][0][-1].split("=", 1)[1] for test in batch)
    return batch, ([program, f"--gtest_filter={names}", "--gtest_fail_fast", "--gtest_brief=1"], environment)


def verdict_of(number, source, tests, most_seconds):
    """caught by TEST, SURVIVED, or not reached. Quick tests first."""
    mine = sorted((t for t in tests if number in t[3]), key=lambda t: t[2])
    if not mine:
        return "not reached", "", 0
    spent = 0
    while mine:
        batch, of = next_batch(mine)
        start = time.time()
        status, out = run(source, of, 20 + 5 * sum(test[2] for test in batch), ADO_MUTANT=str(number))
        if status != 0:
            failed = re.search(r"\[  FAILED  \] ([\w./]+)", out)
            how = "does not end" if status is None else f"exit status {status}"
            return "caught", failed[1] if failed else f"{batch[0][0]}{' and others' if len(batch) > 1 else ''}: {how}", spent
        spent += time.time() - start
        if spent > most_seconds:
            return "SURVIVED", f"the quick tests, {len(mine)} others not run", spent
    return "SURVIVED", "", spent


ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "2"}
JOBS = 2
GPU = False
BUILD = "build/openmp"
BATTERY = "tests/battery/battery.cpp"
CASES, SEED = 6000, 20261127  # of the battery


def let_the_battery_answer(source):
    """On a GPU it is the one test, and takes many bugs in one process."""
    text = (source / BATTERY).read_text()
    begin = "const Kokkos::ScopeGuard kokkos(argc, argv);"
    if "ado_mutant" not in text:
        text = text.replace(begin, begin + f"""
  if (argc == 1) return ado_mutant::answer([](std::uint64_t of_case) {{ return run({SEED}, of_case); }});""")
        (source / BATTERY).write_text(f'#include "{source}/tests/mutation/drawn.hpp"\n' + text)


class Battery:
    """A process of it, started anew where a bug ended it."""

    def __init__(self, source, gpu):
        self.source, self.process, self.gpu = source, None, str(gpu)

    def ask(self, question, seconds):
        """The words of the answer. None where the process ended, or was ended after so many seconds of one case: self.at."""
        starts = 60 * (self.process is None)  # CUDA does, in so many seconds
        if self.process is None:
            self.process = subprocess.Popen([self.source / BUILD / "bin/battery"], text=True, errors="replace", stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "CUDA_VISIBLE_DEVICES": self.gpu})
        self.at, self.hung = "", False
        try:
            print(question, file=self.process.stdin, flush=True)
            while line := self.line_within(seconds + starts):
                starts = 0
                if line.startswith("@ "):
                    return self.ended_if(line.endswith("dirty\n"), line[2:].split())
                if line.startswith(". "):
                    self.at = line[2:].strip()
        except BrokenPipeError:
            pass
        return self.ended_if(True, None)

    def line_within(self, seconds):
        """Of the process, which is killed where none comes in time."""
        def kill():
            self.hung = True
            self.process.kill()
        timer = threading.Timer(seconds, kill)
        timer.start()
        try:
            return self.process.stdout.readline()
        finally:
            timer.cancel()

    def ended_if(self, ended, answer):
        if ended:
            self.process.kill()
            self.process.wait()
            self.process = None
        return answer


def with_a_battery(batteries, work, items):
    """[work(battery, item)], in order, on as many threads as there are batteries."""
    free = queue.SimpleQueue()
    for battery in batteries:
        free.put(battery)

    def one(item):
        battery = free.get()
        try:
            return work(battery, item)
        finally:
            free.put(battery)
    with concurrent.futures.ThreadPoolExecutor(len(batteries)) as pool:
        return list(pool.map(one, items))


def reached_cases(source, batteries):
    """{mutant: cases of the battery that come by it}; kept in cases.tsv."""
    kept = source.parent / "cases.tsv"
    if not kept.exists():
        reached = with_a_battery(batteries, lambda battery, case: battery.ask(f"reach {case}", 60), range(CASES))
        kept.write_text("".join(f"{case}\t{' '.join(ids or [])}\n" for case, ids in enumerate(reached)))
    cases = collections.defaultdict(list)
    for line in kept.read_text().splitlines():
        case, ids = line.split("\t")
        for number in ids.split():
            cases[int(number)].append(case)
    return cases


def verdict_on_gpu(battery, number, cases, most_cases):
    if not cases:
        return "not reached", "", 0
    start, fresh = time.time(), battery.process is None
    question = f"try {number} {' '.join(cases[:most_cases])}"
    answer = battery.ask(question, 20)
    if answer is None and not fresh:  # it ended: by this bug, or by what an earlier one left behind?
        answer = battery.ask(question, 20)
    spent = time.time() - start
    if answer is None:
        return "caught", f"battery: case {battery.at} {'does not end' if battery.hung else 'ends the process'}", spent
    return ("caught", "battery: case " + answer[1], spent) if answer[0] == "caught" else ("SURVIVED", f"{len(cases[:most_cases])} cases", spent)


def main():
    global JOBS, GPU, BUILD
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--gpus", type=int, default=1, help="on which the jobs run in turn")
    parser.add_argument("--most-seconds", type=float, default=300, help="of tests for one mutant")
    parser.add_argument("--most-cases", type=int, default=400, help="of the battery for one mutant, with --gpu")
    arguments, options = parser.parse_known_args()
    JOBS, GPU = arguments.jobs, arguments.gpu
    BUILD = "build/cuda" if GPU else BUILD
    folder = arguments.folder.resolve()
    tree, source = folder / "tree", folder / "src"
    if not tree.exists():
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
        for copy in (tree, source):
            copy.mkdir(parents=True, exist_ok=True)
            subprocess.run(["tar", "x", "-C", copy], input=archive, check=True)
    list_, table = folder / "mutants.tsv", folder / "table.tsv"
    if not list_.exists():
        mutants, of = draw(tree, arguments.count * 5 // 4, arguments.seed)  # one in five does not compile
        bad = {None}
        if GPU:
            let_the_battery_answer(source)
        while bad:
            write(tree, source, mutants)
            bad = build(source, mutants, options)
            mutants = {number: m for number, m in mutants.items() if number not in bad}
            print(f"of {of} places {len(mutants)} drawn; {len(bad)} more do not compile", flush=True)
        list_.write_text("".join(f"{n}\t{m.key()}\t{m.what}\t{(tree / m.file).read_text().splitlines()[m.line].strip()}\n"
                                 for n, m in mutants.items()))
    known = {int(line.split("\t")[0]) for line in table.read_text().splitlines()} if table.exists() else set()
    rows = [line.split("\t") for line in list_.read_text().splitlines()]
    print(f"{len(rows)} mutants, {len(known)} of them done", flush=True)

    def note(row, verdict, by, seconds):
        with table.open("a") as out:
            out.write("\t".join([row[0], verdict, f"{seconds:.0f}", by, *row[1:]]) + "\n")

    todo = [row for row in rows if int(row[0]) not in known]
    if GPU:
        batteries = [Battery(source, number % arguments.gpus) for number in range(JOBS)]
        cases = reached_cases(source, batteries)
        with_a_battery(batteries, lambda battery, row: note(row, *verdict_on_gpu(battery, row[0], cases[int(row[0])], arguments.most_cases)), todo)
    else:
        tests = tests_of(source)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(lambda row: note(row, *verdict_of(int(row[0]), source, tests, arguments.most_seconds)), todo))
    verdicts = collections.Counter(line.split("\t")[1] for line in table.read_text().splitlines())
    print(dict(verdicts))
    for line in table.read_text().splitlines():
        if line.split("\t")[1] != "caught":
            print(line)


if __name__ == "__main__":
    main()
