#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures the rungs for docs/ladder, one record for each algorithm:
#   benchmarks/ladder.sh BUILD/bin/miniapp FOLDER NAME classic|512|small|cpu [ALGORITHM...]
# writes FOLDER/NAME_SIZE/ALGORITHM.json and joins all that are there in FOLDER/NAME_SIZE.json, for benchmarks/ladder.py.
# A record that is there is kept, and one that was cut off goes on: the same line again does what is left.
# cpu: every variant, on the processor, at sizes that suit it.
set -uo pipefail
usage() { sed -n 3,7p "$0"; exit 2; }
[ $# -ge 4 ] || usage
miniapp=$1 folder=$2 name=$3 size=$4
shift 4
[ $# -gt 0 ] || set -- average average_mv transpose vector_add yax
sets='' matrix='' vector='' options='--backend cuda'
case $size in
  classic) options+=' --sizes classic' ;;
  512) sets='-N 512 -M 512 -L 512' matrix='--rows 8192 --cols 8192' vector='-n 2^27' ;;
  small) sets='-N 32 -M 32 -L 256' matrix='--rows 1024 --cols 1024' vector='-n 2^20' ;;
  cpu) options='--backend openmp --variant all' ;;
  *) usage ;;
esac
records=$folder/${name}_$size status=0
mkdir -p "$records"
for algorithm; do
  case $algorithm in
    average*) here=$sets ;;
    vector_add) here=$vector ;;
    *) here=$matrix ;;
  esac
  record=$records/$algorithm.json
  # shellcheck disable=SC2086 # options are words
  [ -s "$record" ] || "$miniapp" --algorithm "$algorithm" $options $here --reps 7 --resume \
    --ceilings "$folder/${name}_ceilings" --json "$record" || status=$?
done
"$(dirname "$0")/ladder.py" --join "$records.json" "$records"/*.json || status=$?
exit $status
