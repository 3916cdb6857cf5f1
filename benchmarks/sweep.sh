#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures team and its peers over many shapes:  benchmarks/sweep.sh BUILD/bin/miniapp FOLDER NAME [SIDE]
# writes FOLDER/NAME_{average,average_mv,transpose,yax}_{square,odd,tall,wide}.json for benchmarks/sweep.py.
# Rows of odd squares begin at odd places, as with a leading dimension that is no multiple of anything.
# SIDE, a power of two, is that of the largest square matrix, 65536 where it is not given; the other
# shapes have at most as many elements. What does not fit the memory is recorded as that.
set -uo pipefail
[ $# = 3 ] || [ $# = 4 ] || { sed -n 3,7p "$0"; exit 2; }
miniapp=$1 folder=$2 name=$3 side=${4:-65536}
[[ $side =~ ^[1-9][0-9]{3,6}$ ]] || { echo "$0: SIDE $side: must be from 1000 to 9999999" >&2; exit 2; }
list=$("$miniapp" --list) || exit
mkdir -p "$folder"

# The best variant of every model: team, and whatever calls a library.
variants_of() {
  awk -v wanted="$1:" '/^[a-z_]+: / { here = $1 == wanted }
    here && ($1 == "team" || $2 == "vendor" || $2 == "kokkos_kernels") && !seen[$1]++ {
      printf "%s%s", comma, $1; comma = "," }' <<<"$list"
}

status=0
measure() { # ALGORITHM SHAPE TYPES OPTION...
  local algorithm=$1 shape=$2 types=$3 ended=0
  shift 3
  "$miniapp" --algorithm "$algorithm" --variant "$(variants_of "$algorithm")" --type "$types" --reps 31 "$@" \
    --json "$folder/${name}_${algorithm}_$shape.json" || ended=$?
  [ $ended = 3 ] || [ $ended = 0 ] || status=$ended # 3: some were too large for the memory
}

elements=$((side * side)) cube=32
while [ $((8 * cube * cube * cube)) -le $elements ]; do cube=$((2 * cube)); done
for algorithm in transpose yax; do
  types=f32,f64
  [ $algorithm = transpose ] && types+=,i8,i16,i32,c128
  measure $algorithm square $types --sweep "rows=cols=64:$side:x2"
  measure $algorithm odd $types --sweep "rows=cols=61:$side:x3" # 61, 183, 549 and on: all odd
  measure $algorithm tall $types --sweep "rows=1024:$((elements / 16)):x8" --cols 16
  measure $algorithm wide $types --sweep "cols=1024:$((elements / 16)):x8" --rows 16
done
for algorithm in average average_mv; do
  measure $algorithm square f32,f64 --sweep "N=L=M=32:$cube:x2"
  measure $algorithm odd f32,f64 --sweep "N=L=M=31:$cube:x3"
  measure $algorithm tall f32,f64 --sweep "N=1024:$((elements / 256)):x8" -L 16 -M 16
  measure $algorithm wide f32,f64 --sweep "M=1024:$((elements / 256)):x8" -N 16 -L 16
done
exit $status
