#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ado: the installed mini-app, and the page of its results. See ado help
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd) || exit 70
export ADO_PROGRAM=ado

help() {
  cat <<'EOF'
ado run [option...]   run the mini-app with these options; ado run --help shows them
ado explain [WORD]    what a column, a limiter, a variant ... means
ado compare A B       two results of --json; also list, dry-run, selftest, profile, ncu, completion, man
ado report FILE...    make a page with pictures of what --json wrote; ado report --help
ado history FILE...   the same over time: ratios from run to run
ado export FORMAT F   what --json wrote, for Google Benchmark's or hyperfine's tools
ado help              this text
EOF
}

case ${1:-help} in
  run)
    shift
    # One thread a core, spread over the machine, unless the user says otherwise.
    [ -d /sys/devices/system/cpu/cpu0/topology ] && [ -z "${GOMP_CPU_AFFINITY-}${KMP_AFFINITY-}" ] &&
      export OMP_PROC_BIND="${OMP_PROC_BIND-spread}" OMP_PLACES="${OMP_PLACES-threads}"
    exec "$here/miniapp" "$@" ;;
  report | history | export)
    script=$here/../share/ado/benchmarks/$1.py
    shift
    exec python3 "$script" "$@" ;;
  help | -h | --help) help ;;
  *) exec "$here/miniapp" "$@" ;;
esac
