#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds with counters (preset coverage, GCC), runs the tests, and prints which lines of lib/ and miniapp/
# no test ran. Exit status 1: less than 95 % of a part is covered, or a test failed.
#   tests/project/coverage.sh [option of ctest...]
set -eu
cd "$(dirname "$0")/../.."
build=build/coverage
[ -e $build/build.ninja ] || cmake --preset coverage
cmake --build $build
find $build -name '*.gcda' -delete
status=0
ctest --preset coverage "$@" || status=1
tests/project/coverage.py $build --at-least 95 || status=1
exit $status
