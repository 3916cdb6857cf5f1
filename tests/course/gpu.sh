#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The exercises of the course on a GPU: are they judged as their lessons say, and what does each cure gain?
# What is solved in this tree is named and measured as it is.
#   tests/course/gpu.sh [BUILD]     (default build/cuda, with -DADO_TESTS=ON)
set -eu
build=${1:-build/cuda}
cmake --build "$build" --target course course_solved
python3 tests/course/course_test.py . "$build/bin/course" "$build/bin/course_solved" cuda
# A gap may be empty, or filled with what is wrong; the solutions have to be right.
measure() { "$build/bin/$program" --backend cuda --reps 11 "$@" || [ "$program" = course ]; }
for program in course course_solved; do
  echo "== $program"
  measure --algorithm vector_add \
    --variant exercise_neighbours,exercise_in_flight,coalesced,several,read_only
  measure --algorithm transpose --type i32,f64 --rows 16Ki --cols 16Ki \
    --variant exercise_tile,exercise_padding,tiled,tiled_padded
  measure --algorithm average -N 256 -L 256 -M 256 --variant exercise_teams,exercise_lanes,flat,team
  measure --algorithm pipeline --chunks 32 --chunk-elements 1Mi --work-per-element 4096 \
    --stages --variant exercise_waits,explicit_sync,host_overlap
done
