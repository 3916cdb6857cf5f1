#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures all rungs for docs/ladder.md:  benchmarks/ladder.sh BUILD/bin/miniapp FOLDER NAME
# writes FOLDER/NAME_{classic,512,small}.json; benchmarks/ladder.py makes tables and pictures of them.
set -uo pipefail
[ $# = 3 ] || { sed -n 3,4p "$0"; exit 2; }
miniapp=$1 folder=$2 name=$3
measure() {
  local size=$1
  shift
  "$miniapp" --algorithm average,average_mv,transpose,vector_add,yax "$@" --json "$folder/${name}_$size.json" || status=$?
}
status=0
measure classic --reps 7
measure 512 --reps 7 -N 512 -M 512 -L 512 --rows 8192 --cols 8192 -n 2^27
measure small --reps 7 -N 32 -M 32 -L 256 --rows 1024 --cols 1024 -n 2^20
exit $status
