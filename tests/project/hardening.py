#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a program is hardened as cmake/Hardening.cmake says, read from the program itself.

usage: hardening.py PROGRAM
"""
import re
import shutil
import subprocess
import sys


def readelf(*options):
    return subprocess.run(["readelf", "--wide", *options], check=True, capture_output=True, text=True).stdout


def faults(program):
    segments = readelf("--program-headers", program)
    dynamic = readelf("--dynamic", program)
    symbols = readelf("--symbols", program)
    if not re.search(r"Elf file type is DYN", segments) or not re.search(r"FLAGS_1\).*\bPIE\b", dynamic):
        yield "it is no position-independent executable"
    if "GNU_RELRO" not in segments:
        yield "its tables of addresses stay writable (no RELRO)"
    if not re.search(r"BIND_NOW|FLAGS_1\).*\bNOW\b", dynamic):
        yield "its tables of addresses are filled while it runs (no BIND_NOW)"
    stack = re.search(r"GNU_STACK(?:\s+0x\w+){5}\s+(\S+)", segments)
    if not stack or "E" in stack[1]:
        yield "its stack is executable"
    if "__stack_chk_fail" not in symbols:
        yield "its stacks are not guarded"
    if not re.search(r"__\w+_chk\b(?<!__stack_chk)", symbols.replace("__stack_chk_fail", "")):
        yield "it calls no checked function of the C library (_FORTIFY_SOURCE)"
    if "glibcxx_assert_fail" not in symbols:
        yield "its containers are not checked (_GLIBCXX_ASSERTIONS)"


def main():
    if shutil.which("readelf") is None:
        print("skipped: hardening: there is no readelf")
        return 0
    found = list(faults(sys.argv[1]))
    for fault in found:
        print(f"{sys.argv[1]}: {fault}")
    print(f"{7 - len(found)} of 7 kinds of hardening are there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
