#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What can go wrong with a GPU, with programs of a CUDA build on a machine that has one:
#   tests/faults/gpu_faults.sh [FOLDER]      where the programs are; default: build/cuda/bin
# Allocations that fail one by one, two runs at once, no device, a device that does not exist, memory that
# another process has; with two GPUs the second one meanwhile. Under a minute. Exit status 0: each ended as
# docs/options.md says.
set -uo pipefail
folder=${1:-build/cuda/bin}
miniapp=$folder/miniapp
[ -x "$miniapp" ] || { echo "$0: no program $miniapp; build it, or name its folder" >&2; exit 2; }
work=$(mktemp -d)
# shellcheck disable=SC2046 # a word a process
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
status=0

# expect NAME STATUS TEXT COMMAND...: the exit status, and the text somewhere in what it printed.
expect() {
  local name=$1 want=$2 text=$3 got
  shift 3
  timeout 60 "$@" >"$work/$name.log" 2>&1
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
both=(--algorithm average,average_mv,transpose,vector_add,yax --variant team --backend cuda --min-time 0.5
  --sets 33 --length 65 --vectors 20011 --rows 3001 --cols 5003 --elements 5000011)
timeout 60 "$miniapp" "${both[@]}" >"$work/first.log" 2>&1 & first=$!
timeout 60 "$miniapp" "${both[@]}" >"$work/second.log" 2>&1 & second=$!
wait $first; judge first 0 "10 of 10 results verified" $?
wait $second; judge second 0 "10 of 10 results verified" $?

expect no_device 3 "needs a GPU, and there is none" env CUDA_VISIBLE_DEVICES= "$miniapp" --list
expect no_such_device 3 "there is no such device; the number of devices is" \
  "$miniapp" --list --kokkos-device-id=63
devices=$(sed -n 's/.*the number of devices is //p' "$work/no_such_device.log")

# Another process takes all of the memory but 1.5 GB, says so with the file `full`, and ends with this one.
cat >"$work/hog.py" <<'EOF'
import ctypes, os, pathlib, sys, time
parent = os.getppid()
cuda = ctypes.CDLL("libcuda.so.1")
def check(result): assert result == 0, f"CUresult {result}"
device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
free, total = ctypes.c_size_t(), ctypes.c_size_t()
check(cuda.cuInit(0))
check(cuda.cuDeviceGet(ctypes.byref(device), 0))
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(cuda.cuCtxSetCurrent(context))
check(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
assert free.value > 1500000000, f"only {free.value} bytes were free"
check(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(free.value - 1500000000)))
pathlib.Path(sys.argv[1]).touch()
while os.getppid() == parent:
    time.sleep(0.1)
EOF
python3 "$work/hog.py" "$work/full" >"$work/hog.log" 2>&1 & hog=$!
for _ in $(seq 300); do
  [ -e "$work/full" ] || ! kill -0 $hog 2>/dev/null || sleep 0.1
done
if [ -e "$work/full" ]; then
  # 1.6 GB with the outputs of both variants: what is left takes it in slices.
  sum=(--algorithm vector_add --variant team --backend cuda --reps 3)
  large=("${sum[@]}" -n 96Mi)
  expect taken_memory 0 "  streamed: " "$miniapp" "${large[@]}" --dry-run
  expect streamed_instead 0 "2 of 2 results verified" "$miniapp" "${large[@]}"
  # One row of the matrix is 1 GiB, and so is the vector.
  expect no_slice_fits 3 "out of memory: slices of 1 of its rows need" \
    "$miniapp" --algorithm yax --variant team --backend cuda --type f32 --rows 4 --cols 256Mi --reps 3
  expect what_still_fits 0 "2 of 2 results verified" "$miniapp" "${sum[@]}" -n 1Mi
  if [ "${devices:-1}" -gt 1 ]; then
    expect another_device 0 "2 of 2 results verified" "$miniapp" "${large[@]}" --kokkos-device-id=1
    expect its_memory_is_free 0 "  fits" "$miniapp" "${large[@]}" --dry-run --kokkos-device-id=1
  else
    echo "skipped another_device: there is one"
  fi
  kill $hog
  wait $hog 2>/dev/null
  expect given_back 0 "  fits" "$miniapp" "${large[@]}" --dry-run
  expect as_before 0 "2 of 2 results verified" "$miniapp" "${large[@]}"
else
  status=1
  echo "FAILED taken_memory: the device's memory could not be taken: $(tail -n 1 "$work/hog.log")"
fi
exit $status
