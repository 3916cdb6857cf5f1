#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures team at growing sizes:  benchmarks/scale.sh BUILD/bin/miniapp FOLDER NAME [EXPONENT]
# writes FOLDER/NAME_scale_{works,works_large,product_*}.json for benchmarks/scale.py.
# The works move 2^20 bytes and on, doubled up to 2^EXPONENT (35), as far as the memory goes: squares, and
# cubes for the averages. The product: average_mv for lengths of 16 to 8192 with 4 vectors a set, and the
# average of the same alone, with fewer sets the longer they are; 2^EXPONENT says how many.
set -uo pipefail
[ $# = 3 ] || [ $# = 4 ] || { sed -n 3,7p "$0"; exit 2; }
miniapp=$1 folder=$2 name=$3 exponent=${4:-35}
[[ $exponent =~ ^(2[4-9]|3[0-9])$ ]] || { echo "$0: EXPONENT $exponent: must be from 24 to 39" >&2; exit 2; }
"$miniapp" --list >/dev/null || exit
mkdir -p "$folder"
reps=15 status=0

ended() { # STATUS: 3: some were too large for the memory; 6: some are not verified, as asked
  [ "$1" = 0 ] || [ "$1" = 3 ] || [ "$1" = 6 ] || status=$1
}
measure() { # NAME OPTION...
  local file=$folder/${name}_scale_$1.json
  shift
  "$miniapp" --variant tuned --reps $reps "$@" --json "$file"
  ended $?
}

# sides DIMENSIONS BYTES STEP FIRST LAST: sides of squares or cubes that move 2^FIRST bytes and on, where an
# element moves so many; multiples of STEP.
sides() {
  awk -v d="$1" -v bytes="$2" -v step="$3" -v first="$4" -v last="$5" 'BEGIN {
    for (e = first; e <= last; ++e) {
      side = step * int((2 ^ e / bytes) ^ (1 / d) / step + 0.5)
      printf "%s%d", e == first ? "" : ",", side
    } }'
}

# Each algorithm in its default type; an element of average moves 4 bytes, of i32 transposed or f64 read 8.
works() { # NAME FIRST LAST OPTION...
  local which=$1 first=$2 last=$3
  shift 3
  measure "$which" --algorithm average,average_mv,transpose,yax "$@" \
    --sweep "N=L=M=$(sides 3 4 8 "$first" "$last")" --sweep "rows=cols=$(sides 2 8 32 "$first" "$last")"
}
works works 20 $((exponent - 2))
# Checking takes far longer than measuring: the two largest are not looked at.
works works_large $((exponent - 1)) "$exponent" --skip-verification

product() { # NAME SETS LENGTHS OPTION...
  local which=$1 sets=$2 lengths=$3
  shift 3
  measure "product_$which" --algorithm average,average_mv --type f32,f64 -M 4 -N "$sets" --sweep "L=$lengths" "$@"
}
product short $((1 << (exponent - 15))) 16:64:x2
# An oracle of so many long sets takes minutes; a few sets of those lengths are verified instead.
"$miniapp" --variant tuned --algorithm average_mv --type f32,f64 -M 4 -N 64 --sweep L=128:8192:x2 --reps 1 >/dev/null
ended $?
product middle $((1 << (exponent - 18))) 128:512:x2 --skip-verification
product long $((1 << (exponent - 22))) 1024:8192:x2 --skip-verification
exit "$status"
