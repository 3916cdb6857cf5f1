# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The jobs of examples/ci: in_turn.sh runs two programs in turn, fails where one is slower, and comments once.

usage: in_turn_test.py MINIAPP
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

CURL = """#!/usr/bin/env python3
import json, pathlib, sys
seen = pathlib.Path("seen.json")
calls = json.loads(seen.read_text()) if seen.exists() else []
calls.append(sys.argv[1:])
seen.write_text(json.dumps(calls))
if "GET" in sys.argv:
    old = [c for c in calls if "POST" in c]
    print(json.dumps([{"id": 5, "body": "a person's"}] + [{"id": 7, "body": json.loads(c[-1])["body"]} for c in old]))
"""
SLOWER = """#!/usr/bin/env python3
import json, subprocess, sys
done = subprocess.run([PROGRAM, *sys.argv[1:]])
if "--json" in sys.argv:
    path = sys.argv[sys.argv.index("--json") + 1]
    record = json.load(open(path))
    for entry in record["benchmarks"]:
        for key in list(entry):
            if key in ("real_time", "cpu_time") or key.endswith("_seconds") and isinstance(entry[key], float):
                entry[key] *= 1.5 if entry["model"] == "kokkos" else 1
            if key.startswith("portable_over") :
                entry[key] *= 1.5
            if key in ("bytes_per_second", "share_of_ceiling") and entry["model"] == "kokkos":
                entry[key] /= 1.5
    json.dump(record, open(path, "w"))
sys.exit(done.returncode)
"""


class InTurn(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        self.addCleanup(self.place.cleanup)
        self.write("curl", CURL)
        self.write("slower", SLOWER.replace("PROGRAM", repr(str(PROGRAM))))
        (self.folder / "event.json").write_text('{"number": 12}')

    def write(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def run_script(self, before, after, status, **environment):
        done = subprocess.run(
            [ROOT / "examples/ci/in_turn.sh", before, after, "--algorithm", "yax", "--variant", "team", "--rows", "99", "--reps", "9"],
            cwd=self.folder, capture_output=True, text=True,
            env={**os.environ, "ROUNDS": "5", "PATH": f"{self.folder}:{os.environ['PATH']}", "GITHUB_API_URL": "https://api",
                 "GITHUB_REPOSITORY": "a/b", "GITHUB_EVENT_PATH": "event.json", "GITHUB_STEP_SUMMARY": "summary.md", **environment})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def calls(self):
        return json.loads((self.folder / "seen.json").read_text())

    def test_a_slower_program_fails_and_the_pull_request_has_one_comment(self):
        self.run_script(PROGRAM, self.folder / "slower", 4, TOKEN="t")
        text = (self.folder / "comparison.md").read_text()
        self.assertIn("slower", text)
        self.assertEqual((self.folder / "summary.md").read_text(), text)
        get, post = self.calls()
        self.assertIn("https://api/repos/a/b/issues/12/comments?per_page=100", get)
        self.assertEqual(json.loads(post[-1])["body"], "<!-- ado compare -->\n" + text)
        self.run_script(PROGRAM, self.folder / "slower", 4, TOKEN="t")
        self.assertIn("https://api/repos/a/b/issues/comments/7", self.calls()[-1])
        self.assertIn("PATCH", self.calls()[-1])

    def test_without_a_token_nothing_is_sent(self):
        self.run_script(PROGRAM, self.folder / "slower", 0, FAIL_ON="wrong")
        self.assertFalse((self.folder / "seen.json").exists())

    def test_a_comment_that_cannot_be_written_is_said(self):
        self.write("curl", "#!/bin/sh\nexit 22\n")
        self.assertIn("no comment could be written", self.run_script(PROGRAM, self.folder / "slower", 4, TOKEN="t").stderr)
        self.write("curl", CURL.replace("calls.append", "sys.exit(22) if 'GET' in sys.argv else calls.append"))
        self.run_script(PROGRAM, self.folder / "slower", 4, TOKEN="t")
        self.assertFalse((self.folder / "seen.json").exists(), "a second comment")

    def test_a_program_that_writes_nothing_ends_it_whatever_an_earlier_job_left(self):
        for status in (7, 0):
            self.write("broken", f"#!/bin/sh\nexit {status}\n")
            self.write("comparison.md", "old")
            self.assertIn(f"broken: ended with status {status}", self.run_script(self.folder / "broken", PROGRAM, 2).stderr)
            self.assertFalse((self.folder / "comparison.md").exists())

    def test_programs_do_not_see_the_token(self):
        self.write("looks", f"#!/bin/sh\nenv >>seen_by_program\nexec {PROGRAM} \"$@\"\n")
        self.run_script(self.folder / "looks", self.folder / "looks", 0, TOKEN="secret", FAIL_ON="wrong")
        self.assertNotIn("secret", (self.folder / "seen_by_program").read_text())
        self.assertNotIn("secret", json.dumps(self.calls()))


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
