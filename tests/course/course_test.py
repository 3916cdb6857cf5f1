#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each exercise of examples/course is judged as its lesson says, and a solution passes:
course_test.py PROJECT COURSE COURSE_SOLVED [BACKEND]
In a student's tree gaps are filled: such an exercise is named, with what the instrument says of it, and is no failure.
Each lesson has the same parts, and the course's first page and a lesson name each exercise.
"""
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest.mock
import zlib

# What the instrument says of an exercise that nobody has touched. Right ones are to become fast.
UNSOLVED = {"neighbours": "right", "in_flight": "right", "tile": "wrong", "padding": "right", "teams": "right",
            "lanes": "right", "index": "wrong", "race": "wrong", "waits": "right", "loop_order": "right", "twin": "wrong"}
# What is in its gaps then, without white space: fingerprint() of it. Who changes an exercise changes this too.
GAPS = {"neighbours": "de670d20", "in_flight": "e463eaa1", "tile": "0744e780", "padding": "7a731d4c",
        "teams": "49a29b79", "lanes": "2ccbaab9", "index": "ed750de1", "race": "cd431de9",
        "waits": "f4e3ecfe", "loop_order": "eaaeb03a", "twin": "d6c3613a"}
ALGORITHM = {"neighbours": "vector_add", "in_flight": "vector_add", "tile": "transpose", "padding": "transpose",
             "teams": "average", "lanes": "average", "index": "yax", "race": "yax", "waits": "pipeline",
             "loop_order": "average", "twin": "vector_add"}
SIZES = {"vector_add": "--elements 100003", "transpose": "--rows 127 --cols 1001", "average": "-N 33 -L 65 -M 129",
         "yax": "--rows 4000 --cols 3999",  # enough for the threads of a race to meet
         "pipeline": "--chunks 5 --chunk-elements 20011 --work-per-element 3"}


def judged(program, name, backend, folder):
    """The entries of the record, and what ran."""
    algorithm, record = ALGORITHM[name], pathlib.Path(folder, "run.json")
    done = subprocess.run([program, "--algorithm", algorithm, "--variant", f"exercise_{name}", "--backend", backend,
                           *SIZES[algorithm].split(), "--reps", "2", "--ceilings", f"{folder}/kept.json",
                           "--json", record], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{name}: exit status {done.returncode}: {done.stderr}")
    return json.loads(record.read_text())["benchmarks"], done


def fingerprint(paths):
    """Of what stands in the gaps of an exercise's files."""
    text = "".join("".join(re.findall(r"// yours: begin.*?// yours: end", path.read_text(), re.DOTALL))
                   for path in sorted(paths))
    return f"{zlib.crc32(''.join(text.split()).encode()):08x}"


PARTS = ["The question", "The command", "What the screen shows", "What to look at", "The cure", "How far it got", "Exercise"]


def flaws_of_pages(folder, exercises):
    index, lessons = (folder / "README.md").read_text(), sorted(folder.glob("[0-9]*.md"))
    texts = {lesson.name: lesson.read_text() for lesson in lessons}
    wrong = [f"{name}: its parts are not {PARTS}" for name, text in texts.items()
             if re.findall(r"^## (.*)$", text, re.MULTILINE) != PARTS]
    wrong += [f"docs/course/README.md does not link {name}" for name in texts if f"({name})" not in index]
    for name in exercises:
        if f"`exercise_{name}`" not in index or not any(f"exercise_{name}" in text for text in texts.values()):
            wrong.append(f"exercise_{name} is not in docs/course/README.md, or in no lesson")
    return wrong if lessons else ["no lessons"]


def flaws_of_notebook(project, solved):
    """Its cells have the gaps of the exercises, and show verified rows if those are solved."""
    notebook = json.loads((project / "examples/course/exercises.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown, kept, names = [], [], {}
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(shutil.copytree(project / "examples/course", f"{folder}/examples/course"))
        before = {path: path.read_text() for path in copy.rglob("*.cpp")}
        with unittest.mock.patch.dict(os.environ, ADO_FOLDER=folder, ADO_COURSE=solved):
            for cell in cells:
                with contextlib.redirect_stdout(io.StringIO()) as screen:
                    exec(cell, names)
                shown.append(screen.getvalue())
                if cell is cells[0]:  # from here on also keep the rows that no cell shows, such as those by hand
                    show = names["show"]
                    names["show"] = lambda entries, asked: (kept.extend(entries), show(entries, asked))
        wrong = [f"exercises.ipynb: its gap of {path.name} is another" for path, text in before.items() if path.read_text() != text]
    if not kept or not all(entry.get("verified") for entry in kept):
        wrong.append("exercises.ipynb: a row is not verified, or there is none")
    for cell, screen in zip(cells[1:], shown[1:]):
        lines = [line.split() for line in screen.splitlines()[1:]]  # below that of ADO_COURSE
        asked = set(re.search(r"--variant (\S+)", cell)[1].split(","))
        if {line[0] for line in lines} != asked or {line[-1] for line in lines} != {"verified"}:
            wrong.append(f"exercises.ipynb: not all rows are there and verified: {screen}")
    return wrong


def conflict_ways(entries):
    return max(entry.get("predicted_bank_conflict_ways", 0) for entry in entries)


def main():
    project, (course, solved) = pathlib.Path(sys.argv[1]), sys.argv[2:4]
    backend = sys.argv[4] if len(sys.argv) > 4 else "openmp"
    paths = [path for path in (project / "examples/course").rglob("*.cpp") if "// yours: begin" in path.read_text()]
    files = {path.stem for path in paths}
    wrong = [] if files == set(UNSOLVED) else [f"this test and examples/course differ: {sorted(files ^ set(UNSOLVED))}"]
    wrong += flaws_of_pages(project / "docs/course", files)
    if all(fingerprint((project / "examples/course").rglob(f"{name}.c*")) == GAPS[name] for name in files & set(GAPS)):
        wrong += flaws_of_notebook(project, solved)
    on_hosts = {path.stem for path in paths if path.parent.name == "openmp"} if backend != "openmp" else set()
    in_hand = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted((files & set(UNSOLVED)) - on_hosts):
            touched = fingerprint((project / "examples/course").rglob(f"{name}.c*")) != GAPS[name]
            ways = []
            for program, expected in ((course, UNSOLVED[name]), (solved, "right")):
                entries, done = judged(program, name, backend, folder)
                alone = len(os.sched_getaffinity(0)) == 1 or "OpenMP, 1 thread," in done.stdout
                if name == "race" and program == course and alone:
                    continue  # threads that take turns seldom meet
                found = "wrong" if done.returncode else "right"
                ways.append(conflict_ways(entries))
                if touched and program == course:
                    in_hand.append(f"{name} is not as committed: its gap is filled, and it is {found}")
                elif found != expected or (found == "wrong") != ("WRONG" in done.stdout):
                    wrong.append(f"{pathlib.Path(program).name}: {name} is {found}, not {expected}\n{done.stdout}{done.stderr}")
            if name == "padding" and not ((touched or ways[0] > 16) and ways[1] == 1):
                wrong.append(f"padding: {ways} passes over the banks, not near 32 and 1")
    print("\n".join([*in_hand, *wrong, f"{len(files - on_hosts)} exercises, {len(wrong)} failures"]))
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
