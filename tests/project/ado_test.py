#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The script ado, in a copy of its folder, with programs in its PATH that only play theirs.

usage: ado_test.py [TEST...]
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = "build/openmp"
CONFIGURED = "ADO_TESTS:BOOL=ON\n"
JUNIT = """<testsuite>
<testcase name="a"><system-out>fine</system-out></testcase>
<testcase name="b"><skipped message=""/><system-out>first
skipped: b: no nvcc found
last</system-out></testcase>
<testcase name="C.1"><skipped message=""/><system-out>[ RUN      ] C.1
x.cpp:5: Skipped
no GPU
[  SKIPPED ] C.1 (0 ms)</system-out></testcase>
<testcase name="C.2"><skipped message=""/><system-out>x.cpp:9: Skipped
no GPU

[  SKIPPED ] C.2 (0 ms)</system-out></testcase>
</testsuite>"""


class Ado(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.root.chmod(0o755)
        (self.root / "tests/project").mkdir(parents=True)
        shutil.copy(ROOT / "ado", self.root)
        if (ROOT / "tests/project/skipped.py").exists():
            shutil.copy(ROOT / "tests/project/skipped.py", self.root / "tests/project")
        self.write(f"{BUILD}/build.ninja", "")
        self.write(f"{BUILD}/CMakeCache.txt", CONFIGURED)
        self.program(f"{BUILD}/bin/miniapp", "echo the program ran")
        self.program("bin/cmake", "true")
        self.program("bin/apt-get", "true")  # nothing is ever installed by a test

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, name, script):
        self.write(name, f"#!/bin/sh\n{script}\n").chmod(0o755)

    def start(self, *arguments, **options):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("ADO_", "Kokkos_"))}
        environment["PATH"] = f"{self.root}/bin:{environment['PATH']}"
        return subprocess.Popen([self.root / "ado", *arguments], env=environment, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **options)

    def ado(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def wait_for(self, name):
        for _ in range(600):
            if (self.root / name).exists():
                return
            time.sleep(0.05)
        self.fail(f"{name} does not come")

    def test_python_of_the_current_folder_is_not_run(self):
        """Neither what asks whether a module is there nor what calls pip: ./ado may be root's."""
        planted = self.root / "planted"
        for module in ("pip", "numpy"):
            self.write(f"planted/{module}.py", f"open({str(self.root / 'ran')!r}, 'a').write('{module} ')\n")
        self.program("bin/python3", f'case "$*" in *install*) exit 1 ;; esac; exec {sys.executable} "$@"')
        self.program("bin/cmake", "echo cmake version 3.20.0")
        (self.root / BUILD / "CMakeCache.txt").unlink()
        for command in ("test", "run"):
            self.ado(command, cwd=planted)
            self.assertFalse((self.root / "ran").exists(), command)

    def test_no_script_of_the_setup_calls_pip_from_the_current_folder(self):
        for path in (ROOT / "ado", *(ROOT / ".ci").iterdir(), *(ROOT / "cmake").iterdir()):
            for line in path.read_text().splitlines():
                if "-m pip" in line and not re.search("install nvidia", line):
                    self.assertIn("-I -m pip", line, path)

    def test_a_build_that_fails_without_ending_its_line_runs_nothing(self):
        for output in ("printf 'no such header'", "echo ado-status 0; echo no such header"):
            self.program("bin/cmake", f"{output}; exit 3")
            status, out, err = self.ado("run")
            self.assertEqual((status, out), (70, ""), err)
            self.assertIn("no such header\nado: failed: building; ", err)

    def test_where_it_cannot_write_it_says_so(self):
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
        self.write(f"{BUILD}/ado.log", "").chmod(0o444)
        (self.root / BUILD).chmod(0o555)
        for _ in range(2):
            status, out, err = self.ado("run", **user)
            self.assertEqual((status, out), (70, ""), err)
            self.assertRegex(err, rf"^ado: cannot write to {BUILD}[^\n]*: Permission denied\nado: build as a user [^\n]*\n$")
            if (self.root / f"{BUILD}/ado.log").exists():  # once more, without a log
                (self.root / BUILD).chmod(0o755)
                (self.root / f"{BUILD}/ado.log").unlink()
                (self.root / BUILD).chmod(0o555)
        (self.root / BUILD).chmod(0o755)

    @unittest.skipUnless(shutil.which("flock"), "no flock")
    def test_one_waits_for_the_other_build_and_not_for_its_program(self):
        self.program("bin/cmake", f"mkdir {self.root}/busy || exit 1; sleep 0.5; rmdir {self.root}/busy")
        self.program(f"{BUILD}/bin/miniapp", f": >{self.root}/runs; while [ ! -e {self.root}/enough ]; do sleep 0.05; done")
        first = self.start("run")
        self.wait_for("busy")
        second = self.start("run")
        self.wait_for("runs")  # the first one's
        (self.root / "runs").unlink()
        self.wait_for("runs")  # the second one's, while the first one still runs
        self.assertIsNone(first.poll())
        (self.root / "enough").touch()
        self.assertEqual((first.communicate(timeout=60)[1], first.returncode), ("", 0))
        self.assertEqual((second.communicate(timeout=60)[1], second.returncode),
                         ("ado: waiting for another ./ado in this folder\n", 0))

    @unittest.skipUnless(shutil.which("flock"), "no flock")
    def test_one_that_was_killed_is_not_waited_for_nor_what_a_build_left_running(self):
        self.program("bin/cmake", f": >{self.root}/builds; sleep 50")
        killed = self.start("run")
        self.wait_for("builds")
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate(timeout=60)
        self.program("bin/cmake", f"sleep 50 >/dev/null 2>&1 & echo $! >{self.root}/server")
        try:
            for _ in range(2):
                self.assertEqual(self.ado("run"), (0, "the program ran\n", ""))
        finally:
            os.kill(int((self.root / "server").read_text()), signal.SIGKILL)

    def test_commands_of_the_program_go_to_it_with_the_name_that_was_typed(self):
        self.program(f"{BUILD}/bin/miniapp", 'echo "$ADO_PROGRAM|$*"')
        for command in ("compare", "list", "dry-run", "selftest", "profile", "ncu", "completion", "man", "explain"):
            status, out, _ = self.ado(command, "a b", "--c")
            self.assertEqual((status, out), (0, f"{self.root}/ado|{command} a b --c\n"))
        self.assertEqual(self.ado("run", "--rows", "3")[1], f"{self.root}/ado|--rows 3\n")
        self.assertEqual(self.ado("__complete", "te")[1], f"test\n{self.root}/ado|__complete te\n")
        status, _, err = self.ado("comprae")
        self.assertEqual(status, 2)
        self.assertIn("unknown command 'comprae'", err)

    def test_the_installed_one_finds_what_lies_beside_it(self):
        self.program("prefix/bin/miniapp", 'echo "$ADO_PROGRAM|$*"')
        shutil.copy(ROOT / "cmake/installed_ado.sh", self.root / "prefix/bin/ado")
        (self.root / "bin/ado").symlink_to(self.root / "prefix/bin/ado")
        self.write("prefix/share/ado/benchmarks/report.py", "import sys; print('page', *sys.argv[1:])")
        for words, said in ((("list",), "ado|list\n"), (("run", "--rows", "3"), "ado|--rows 3\n"), (("report", "a.json"), "page a.json\n")):
            done = subprocess.run([self.root / "bin/ado", *words], capture_output=True, text=True, cwd="/")
            self.assertEqual((done.returncode, done.stdout), (0, said), done.stderr)

    @unittest.skipUnless(os.path.isdir("/sys/devices/system/cpu/cpu0/topology"), "the machine does not show its cores")
    def test_threads_are_bound_unless_the_user_binds_them(self):
        self.program(f"{BUILD}/bin/miniapp", 'echo "$OMP_PROC_BIND $OMP_PLACES"')
        for variables, bound in (({}, "spread threads\n"), ({"OMP_PROC_BIND": "false"}, "false threads\n"),
                                 ({"GOMP_CPU_AFFINITY": "0"}, " \n"), ({"KMP_AFFINITY": "compact"}, " \n")):
            unset = {name: "" for name in ("GOMP_CPU_AFFINITY", "KMP_AFFINITY")}
            with unittest.mock.patch.dict(os.environ, {**unset, **variables}):
                for name in {"OMP_PROC_BIND", "OMP_PLACES"} - set(variables):
                    os.environ.pop(name, None)
                self.assertEqual(self.ado("run"), (0, bound, ""), variables)

    def test_what_was_skipped_is_said_with_its_reason_and_its_package(self):
        self.write("junit.xml", JUNIT)
        self.program("bin/ctest", f"""while [ "$1" != --output-junit ]; do shift; done
            cp {self.root}/junit.xml "$2"; echo 100% tests passed; exit 8""")
        status, out, err = self.ado("test")
        self.assertEqual(status, 8, err)
        self.assertEqual(out, """100% tests passed

Skipped: 3 of 4 tests
  b: no nvcc found [cuda-toolkit from NVIDIA]
  C.1, C.2: no GPU
In brackets: the package that brings it. Then: cmake build/openmp && ./ado test
""")
        self.program("bin/ctest", "true")  # writes no file: what an earlier run skipped is not this one's
        self.assertEqual(self.ado("test")[:2], (0, ""))

    def test_a_newer_cmake_is_brought_where_the_machines_is_too_old(self):
        self.write(f"{BUILD}/CMakeCache.txt", "")
        (self.root / BUILD / "build.ninja").unlink()
        self.write(f"{BUILD}/summary.txt", "configured\n")
        self.program("bin/id", "echo 0")
        self.program("bin/cmake", "[ $1 = --version ] && echo cmake version 3.22.1")
        self.program("newer", f'echo "$*" >>{self.root}/newer_was_asked')
        self.program("bin/python3", f"""case "$*" in
            *' install '*--require-hashes*) ;;
            *) exit 0 ;;
          esac
          while [ "$1" != --target ]; do shift; done
          mkdir -p "$2/cmake/data/bin" && cp {self.root}/newer "$2/cmake/data/bin/cmake" """)
        for _ in range(2):
            status, out, err = self.ado("run")
            self.assertEqual((status, out), (0, "the program ran\n"), err)
        self.assertEqual(err.count("downloading CMake"), 0, "it is there already")
        asked = (self.root / "newer_was_asked").read_text()
        self.assertIn("--preset openmp", asked)
        self.assertIn("--build", asked)

        shutil.rmtree(self.root / "build/_deps")
        self.program("bin/python3", """case "$*" in *' install '*) echo no network; exit 1 ;; esac""")
        status, out, err = self.ado("run")
        self.assertEqual((status, out), (70, ""), err)
        self.assertIn("no network", err)
        self.assertEqual(list((self.root / "build/_deps").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
