#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs every variant of a CUDA build at small, odd sizes under compute-sanitizer's four tools:
#   tests/project/compute_sanitizer.sh [PROGRAM [TOOL...]]      default: build/cuda/bin/miniapp, all four
# Exit status 0: no tool reported anything, and every result was right.
set -euo pipefail
miniapp=${1:-build/cuda/bin/miniapp}
shift || true
[ $# -gt 0 ] || set -- memcheck racecheck initcheck synccheck
[ -x "$miniapp" ] || { echo "$0: no program $miniapp; build it, or name it" >&2; exit 2; }
command -v compute-sanitizer >/dev/null ||
  { echo "$0: compute-sanitizer, of the CUDA toolkit, is not in PATH" >&2; exit 2; }

# Sizes with tails on every side, and a row longer than a block.
cases=(
  "average,average_mv --type f32,f64 -N 7 -M 129 -L 33"
  "average,average_mv --type f32,f64 -N 3 -M 1000 -L 2"
  "average_mv --variant team --type f32,f64 -N 16400 -M 3 -L 20" # flat tiles of the product, 16-byte copies
  "average_mv --variant team --type f32,f64 -N 1665 -M 2 -L 260" # large ones
  "average_mv --variant team --type f32,f64 -N 130 -M 4 -L 61" # both steps in one kernel; a row of a is longer than a guard
  "transpose --type i8,i16,i32,i64,c128 --rows 33 --cols 65"
  "transpose --type i8,i16,i32,i64,c128 --rows 129 --cols 257"
  "transpose --variant team --type c128 --rows 400 --cols 496" # wide tiles, some cut
  "transpose --variant team --type i8,i32 --rows 4112 --cols 4144" # likewise
  "transpose --variant team --type f32 --rows 5801 --cols 5801" # fixed tiles, the large ones
  "yax --type f32,f64 --rows 33 --cols 65"
  "yax --type f32,f64 --rows 7 --cols 2500"
)
# The kernels that measure ceilings run for minutes under racecheck, and use no shared memory.
no_ceilings=()
for kernel in ReadKernel WriteKernel ScatteredReadKernel ScatteredUpdateKernel MultiplyAddKernel FillKernel; do
  no_ceilings+=(--kernel-name-exclude "kernel_substring=$kernel")
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
for tool; do
  skip=()
  [ "$tool" != racecheck ] || skip=("${no_ceilings[@]}")
  for case in "${cases[@]}"; do
    read -ra options <<<"--algorithm $case"
    if compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 5 "${skip[@]}" \
      "$miniapp" --backend cuda --reps 1 "${options[@]}" >"$log" 2>&1; then
      verdict=ok
    else
      verdict=FAILED status=1
      cat "$log"
    fi
    echo "$verdict $tool, $case: $(grep -E 'SUMMARY|results verified$' "$log" | tr -d = | paste -sd';')"
  done
done
exit $status
