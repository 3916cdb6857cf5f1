#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels that fault or never end on a GPU, in a CUDA build on a machine that has one:
#   tests/faults/gpu_kernel_faults.sh [FOLDER]      where miniapp_broken is; default: build/cuda/bin
# Under two minutes. Exit status 0: each cost its own row alone, and ended as docs/options.md says.
set -uo pipefail
program=${1:-build/cuda/bin}/miniapp_broken
[ -x "$program" ] || { echo "$0: no program $program; build the target miniapp_broken, or name its folder" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
run=("$program" --algorithm yax --type f64 --rows 411 --cols 671 --reps 3 --backend cuda)

check() { # check WHAT COMMAND...
  local what=$1
  shift
  if "$@"; then
    echo "ok $what"
  else
    status=1
    echo "FAILED $what; the end of the output:"
    tail -n 25 "$work/log"
  fi
}
says() { grep -qF -- "$1" "$work/log"; }
once() { [ "$(grep -cE -- "$1" "$work/log")" = "${2:-1}" ]; }
never() { ! grep -qF -- "$1" "$work/log"; }
is() { [ "$1" = "$2" ]; }

timeout 100 "${run[@]}" --variant illegal_address,illegal_and_fenced,misaligned,trap,segmentation_fault,team \
  --json "$work/r.json" >"$work/log" 2>&1
check "faults: exit status 7" is $? 7
# In the table and among what went wrong. "after": the host learns of it at its next call.
for variant in illegal_address illegal_and_fenced; do
  check "$variant" once "crashed: .*an illegal memory access was encountered (in|after) kokkos/$variant" 2
done
check misaligned once "crashed: misaligned address (in|after) kokkos/misaligned" 2
check trap once "crashed: unspecified launch failure (in|after) kokkos/trap" 2
check segmentation_fault once "crashed: segmentation fault .SIGSEGV. in kokkos/segmentation_fault" 2
check "team is measured" says "
team "
check "one header" once "ceilings read"
check "no backtrace" never Backtrace
check "a record of all" grep -q '"variant": "team"' "$work/r.json"

timeout 100 "${run[@]}" --variant endless_kernel,team --kernel-timeout 3 >"$work/log" 2>&1
check "endless: exit status 7" is $? 7
check "endless: its row" once "kokkos/endless_kernel did not end within 3 s .--kernel-timeout." 2
check "endless: the others" says "results verified"

"${run[@]}" --variant endless_kernel,team >"$work/log" 2>&1 &
hung=$!
sleep 15 # the device's start, the ceilings; then it hangs
kill -TERM $hung
wait $hung
check "one SIGTERM ends it" is $? 143
check "and it says so" says "interrupted after "
check "the GPU is free again" timeout 60 "${run[@]}" --variant team

timeout 100 "${run[@]}" --variant illegal_address --verbose >"$work/log" 2>&1
check "verbose: a backtrace" says "miniapp_broken("

# On rank 1 of two, on a GPU each where there are two. Rank 0 waits for it meanwhile.
ranks=(mpirun -n 2)
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[ "$(nproc)" -gt 1 ] || export OMPI_MCA_rmaps_base_oversubscribe=1
if command -v mpirun >/dev/null && ldd "$program" | grep -q libmpi; then
  timeout 100 "${ranks[@]}" "${run[@]}" --variant team,illegal_address --json "$work/ranks.json" >"$work/log" 2>&1
  check "ranks, fault: exit status 7" is $? 7
  check "ranks, fault: rank and row" once "rank 1 .*crashed: an illegal memory access was encountered .*kokkos/illegal_address, row yax/.*all ranks end"
  check "ranks, fault: the rows before it are kept" says "finished rows are in $work/ranks.json.partial"
  timeout 100 "${ranks[@]}" "${run[@]}" --variant endless_kernel --kernel-timeout 3 >"$work/log" 2>&1
  check "ranks, endless: exit status 7" is $? 7
  check "ranks, endless: rank and row" once "rank 1 .*kokkos/endless_kernel did not end within 3 s .--kernel-timeout., row yax/.*all ranks end"
  check "ranks: the GPU is free again" timeout 60 "${run[@]}" --variant team
else
  echo "skipped ranks: no mpirun, or a build without MPI"
fi

if command -v compute-sanitizer >/dev/null; then
  timeout 200 compute-sanitizer "${run[@]}" --variant illegal_address >"$work/log" 2>&1
  check "compute-sanitizer: its report" says "Invalid __global__ write"
  check "compute-sanitizer: the run ends" says "for a profiler or a sanitizer is loaded"
else
  echo "skipped compute-sanitizer: not found"
fi
exit $status
