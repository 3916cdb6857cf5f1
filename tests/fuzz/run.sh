#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the fuzz targets with clang and runs each for SECONDS on every core:
#   tests/fuzz/run.sh SECONDS [TARGET...]       targets: journal ncu npy options record; default: all
# The build, what the corpora grow to, and inputs that made a target fail are in build/fuzz/. A file
# that failed goes, mended, into tests/fuzz/corpus/. Exit status 0: nothing was found.
# ADO_FUZZ_BIN=DIR takes built programs from there, for a machine without a compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?"SECONDS is missing; see the head of $0"}
shift
[ $# -gt 0 ] || set -- journal ncu npy options record
folder=build/fuzz
bin=${ADO_FUZZ_BIN:-$folder/bin}
if [ -z "${ADO_FUZZ_BIN:-}" ]; then
  command -v clang++ >/dev/null || { echo "$0: there is no clang++; install clang" >&2; exit 2; }
  cmake -S . -B $folder -DCMAKE_CXX_COMPILER=clang++ -DADO_FUZZ=ON >/dev/null
  cmake --build $folder --parallel "$(nproc)"
fi

# No allocation of more than 64 MiB, and 512 MiB in all: inputs have 16 KiB.
limits=(-max_len=16384 -timeout=10 -rss_limit_mb=512 -malloc_limit_mb=64)
export ASAN_OPTIONS=quarantine_size_mb=16:allocator_may_return_null=0
status=0
for target; do
  corpus=$folder/corpus/$target found=$folder/found/$target log=$folder/$target.log
  mkdir -p "$corpus" "$found"
  verdict=ok
  "$bin/fuzz_$target" "${limits[@]}" -fork="$(nproc)" -max_total_time="$seconds" \
    -dict="tests/fuzz/$target.dict" -artifact_prefix="$found/" \
    "$corpus" "tests/fuzz/corpus/$target" >"$log" 2>&1 || verdict=FAILED status=1
  echo "$verdict $target, $seconds s: $(grep -E '^#[0-9]+:' "$log" | tail -n 1)"
  [ $verdict = ok ] || tail -n 40 "$log"
done
exit $status
