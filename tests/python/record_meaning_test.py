# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A record whose every field in turn says something else: the readers refuse it, or what they make of it is the same.
The fields are those that the JSON has, so that a new one is tested too. Needs Python alone.

usage: record_meaning_test.py [MINIAPP]   with it `miniapp compare` reads one lie about each field as well
"""
import copy
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MINIAPP = os.path.abspath(sys.argv.pop(1)) if __name__ == "__main__" and sys.argv[1:] else os.environ.get("ADO_MINIAPP")
sys.path.insert(0, str(ROOT / "python/ado_results"))
import record  # noqa: E402

RECORD = json.loads((ROOT / "tests/data/record.json").read_text())
# What nothing else in the file repeats: another value of the same kind is another run's. None of them makes of what failed
# or was not looked at something verified.
FACTS = {
    "bytes", "flops", "cpu_time", "iterations", "threads", "stopped_by", "backend", "run_type", "limiter_estimated",
    "share_of_ceiling", "portable_over_native_low", "portable_over_native_high", "speedup", "speedup_low", "speedup_high",
    "reference", "max_difference", "max_error", "share_of_error_bound", "witness_elements", "distinct_outputs",
    "kernel_lines", "kernel_lines_of_one_backend", "may_stay_in_cache", "cold_cache", "kokkos_tool", "reason", "error_message", "time_unit", "sizes"}


def other_values(value):
    others = [None, True, False, 0, 1, -1, 1e300, float("nan"), 0.5, "", "false", "true", "WRONG", "nan", [], {}, [1], {"a": 1}]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        others += [-value, 2 * value, value + 1, str(value)]
    if isinstance(value, str):
        others += [value + "0", value[:-1]]
    if isinstance(value, list):
        others += [value + value[-1:], value[:-1]]
    return [other for other in others if json.dumps(other) != json.dumps(value)]


def places(part, above=()):
    for key in part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ():
        yield (*above, key)
        yield from places(part[key], (*above, key))


def put(document, place, value, gone=False):
    lie = copy.deepcopy(document)
    inner = lie
    for key in place[:-1]:
        inner = inner[key]
    if gone:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return lie


def at(document, place):
    for key in place:
        document = document[key]
    return document


def lies():
    """Place, the value there or "nothing", and the record with it: also with the value of another entry."""
    for place in places(RECORD):
        value = at(RECORD, place)
        others = other_values(value)
        if place[0] == "benchmarks" and len(place) == 3:
            others += [entry[place[2]] for entry in RECORD["benchmarks"] if entry.get(place[2], value) != value]
        for other in others:
            yield place, json.dumps(other)[:60], put(RECORD, place, other)
        yield place, "nothing", put(RECORD, place, None, gone=True)


class Meaning(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "r.json"

    def loaded(self, document):
        """The sides that the readers make of it, or why they refuse it."""
        self.path.write_text(json.dumps(document))
        try:
            return record.load(self.path)[1], None
        except record.RecordError as error:
            return None, str(error)

    def test_each_lie_is_refused_or_harmless(self):
        expected, refusal = self.loaded(RECORD)
        self.assertIsNone(refusal)
        self.assertEqual(len(expected), 6)
        outcome = [(side["name"], side["verified"], side.get("ms"), side.get("portable_over_native")) for side in expected]
        count = refused = 0
        for place, what, lie in lies():
            count += 1
            with self.subTest(place=place, what=what):
                sides, refusal = self.loaded(lie)
                if refusal:
                    refused += 1
                    self.assertIn(f"{self.path}: is JSON, but not what --json writes: ", refusal)
                    self.assertIn("; name a file that miniapp --json FILE wrote", refusal)
                    continue
                if place[0] == "benchmarks" and len(place) < 3:  # fewer rows, or one twice, are another run's
                    self.assertIsInstance(lie["benchmarks"], list)
                    continue
                if sides == expected or what == "nothing" and len(place) == 3 and place[2] not in OF_THE_OUTCOME:
                    continue
                if place[0] == "benchmarks" and len(place) > 2:
                    self.assertIn(place[2], FACTS, "is believed")
                    self.assertEqual(outcome, [(side["name"], side["verified"], side.get("ms"), side.get("portable_over_native"))
                                               for side in sides])
                else:
                    self.fail("is believed")
        print(f"{count} lies, {refused} refused")
        self.assertGreater(count, 3000)

    def test_lines_of_one_backend_are_some_of_all(self):
        for lies in ({"kernel_lines": 0, "kernel_lines_of_one_backend": 0}, {"kernel_lines": 83}, {"kernel_lines": None}):
            lie = copy.deepcopy(RECORD)
            entry = lie["benchmarks"][0]
            entry.update(lies)
            if entry["kernel_lines"] is None:
                del entry["kernel_lines"]
            self.assertIn("kernel_lines", self.loaded(lie)[1] or "believed")

    def test_a_few_bytes_of_gzip_are_not_gigabytes(self):
        bomb = self.path.with_suffix(".json.gz")
        with gzip.open(bomb, "wb", compresslevel=9) as file:
            for _ in range(300):
                file.write(b" " * (1 << 20))
        self.assertLess(bomb.stat().st_size, 1 << 20)
        with self.assertRaisesRegex(record.RecordError, "larger than 256 MiB.*; name a file"):
            record.load(bomb)
        self.path.touch()
        os.truncate(self.path, 300 << 20)
        with self.assertRaisesRegex(record.RecordError, "larger than 256 MiB.*; name a file"):
            record.load(self.path)

    @unittest.skipUnless(MINIAPP, "no mini-app is named")
    def test_miniapp_compare_refuses_nothing_else(self):
        """What the program refuses Python does, and what the program takes is harmless to it where Python refuses it."""
        def compare():
            done = subprocess.run([MINIAPP, "compare", self.path, self.path], capture_output=True, text=True)
            return done.returncode, done.stdout

        self.loaded(RECORD)
        expected = compare()
        self.assertEqual(expected[0], 1, "one result is wrong")
        seen = set()
        for place, what, lie in lies():
            field = (place[-1], what) if len(place) == 3 and place[1] in (0, 12) else None
            if field is None or field in seen or what not in ("null", '"false"', "-1", "[]", "true", "false", "nothing"):
                continue
            seen.add(field)
            with self.subTest(place=place, what=what):
                _, refusal = self.loaded(lie)
                status, out = compare()
                if status == 2:
                    self.assertTrue(refusal, "Python takes what the program refuses")
                elif refusal:
                    self.assertEqual((status, out), expected, "the program believes what Python refuses")
        self.assertGreater(len(seen), 100)


# A file without them would be of an older program, were it another one.
OF_THE_OUTCOME = ("name", "verified", "reason", "error_occurred", "error_message", "real_time", "time_unit", "cold_cache",
                  "kokkos_tool", "portable_over_native")


if __name__ == "__main__":
    unittest.main()
