#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What can go wrong with a GPU, with programs of a CUDA build on a machine that has one:
#   tests/gpu_faults.sh [FOLDER]      where the programs are; default: build/cuda/bin
# Allocations that fail one by one, two runs at once, no device, a device that does not exist, memory that
# another process has. Exit status 0: each ended as docs/miniapp.md says.
set -uo pipefail
folder=${1:-build/cuda/bin}
miniapp=$folder/miniapp
[ -x "$miniapp" ] || { echo "$0: no program $miniapp; build it, or name its folder" >&2; exit 2; }
work=$(mktemp -d)
hog=
trap '[ -z "$hog" ] || kill "$hog" 2>/dev/null; rm -rf "$work"' EXIT
status=0

# expect NAME STATUS TEXT COMMAND...: the exit status, and the text somewhere in what it printed.
expect() {
  local name=$1 want=$2 text=$3 got
  shift 3
  timeout 300 "$@" >"$work/$name.log" 2>&1
  got=$?
  judge "$name" "$want" "$text" "$got"
}

judge() {
  if [ "$4" = "$2" ] && grep -qF -- "$3" "$work/$1.log"; then
    echo "ok $1: exit status $4, $(grep -F -- "$3" "$work/$1.log" | head -n 1)"
  else
    status=1
    echo "FAILED $1: exit status $4, wanted $2 and '$3' in:"
    tail -n 20 "$work/$1.log"
  fi
}

if [ -x "$folder/gpu_faults_test" ]; then
  expect allocations 0 "[  PASSED  ]" "$folder/gpu_faults_test"
else
  echo "skipped allocations: no program $folder/gpu_faults_test"
fi

# Two runs on one device, each with all algorithms, at the same time for long enough to overlap.
# shellcheck disable=SC2054 # lists of the mini-app
both=(--algorithm average,average_mv,transpose,vector_add,yax --variant team --backend cuda --min-time 2)
timeout 300 "$miniapp" "${both[@]}" >"$work/first.log" 2>&1 & first=$!
timeout 300 "$miniapp" "${both[@]}" >"$work/second.log" 2>&1 & second=$!
wait $first; judge first 0 "results verified" $?
wait $second; judge second 0 "results verified" $?

expect no_device 3 "needs a GPU, and there is none" env CUDA_VISIBLE_DEVICES= "$miniapp" --list
expect no_such_device 3 "there is no such device; the number of devices is" \
  "$miniapp" --list --kokkos-device-id=63

# Another process takes all of the memory but a gigabyte, and says so with the file `full`.
cat >"$work/hog.py" <<'EOF'
import ctypes, pathlib, sys, time
cuda = ctypes.CDLL("libcuda.so.1")
def check(result): assert result == 0, result
device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
free, total = ctypes.c_size_t(), ctypes.c_size_t()
check(cuda.cuInit(0))
check(cuda.cuDeviceGet(ctypes.byref(device), 0))
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(cuda.cuCtxSetCurrent(context))
check(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
check(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(free.value - 1500000000)))
pathlib.Path(sys.argv[1]).touch()
time.sleep(300)
EOF
python3 "$work/hog.py" "$work/full" >"$work/hog.log" 2>&1 & hog=$!
for _ in $(seq 300); do
  [ -e "$work/full" ] || ! kill -0 $hog 2>/dev/null || sleep 0.1
done
if [ -e "$work/full" ]; then
  expect taken_memory 3 "GB are free on the GPU" \
    "$miniapp" --algorithm vector_add --variant team --backend cuda -n 1G --reps 3
  expect what_still_fits 0 "results verified" \
    "$miniapp" --algorithm vector_add --variant team --backend cuda -n 1M --reps 3
  kill $hog
  wait $hog 2>/dev/null
  hog=
  expect given_back 0 "results verified" \
    "$miniapp" --algorithm vector_add --variant team --backend cuda -n 1G --reps 3
else
  status=1
  echo "FAILED taken_memory: the device's memory could not be taken: $(tail -n 1 "$work/hog.log")"
fi
exit $status
