#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures all rungs, and counts each of them with Nsight Compute:
#   benchmarks/limiter.sh BUILD/bin/miniapp FOLDER NAME
# writes FOLDER/NAME_ALGORITHM.json, _counters.csv and _rules.csv for benchmarks/limiter.py.
set -uo pipefail
[ $# = 3 ] || { sed -n 3,5p "$0"; exit 2; }
miniapp=$1 folder=$2 name=$3 status=0
command -v ncu >/dev/null || { echo "$0: ncu, of the CUDA toolkit, is not in PATH" >&2; exit 2; }
mkdir -p "$folder"
counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT

# The mini-app knows what has to be counted. All of what it says is read: a closed pipe would be its failure.
said=$("$miniapp" --backend cuda --profile --algorithm yax --variant team --rows 64 --cols 64) &&
  command=$(grep -m 1 '^  ncu ' <<<"$said") ||
  { echo "$0: $miniapp names no command of ncu" >&2; exit 2; }
read -ra ncu <<<"${command%% --import-source *}"

count() { # ALGORITHM OPTION...
  local file=$folder/${name}_$1 options=(--backend cuda --algorithm "$@")
  "$miniapp" "${options[@]}" --reps 7 --json "$file.json" >/dev/null || status=$?
  "${ncu[@]}" --export "$counts/$1" --force-overwrite "$miniapp" --profile "${options[@]}" >/dev/null || status=$?
  ncu --import "$counts/$1.ncu-rep" --csv --page raw --print-units base >"${file}_counters.csv" || status=$?
  # What ncu itself says: a line of the page for each rule, of which one is wanted.
  ncu --import "$counts/$1.ncu-rep" --csv --page details | grep -E '^"ID"|"SOLBottleneck"' >"${file}_rules.csv" ||
    status=$?
}
count average_mv -N 512 -M 512 -L 512
count transpose --rows 8192 --cols 8192
count vector_add -n 64Mi
count yax --rows 8192 --cols 8192
exit $status
