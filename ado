#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ado: installs what is missing, builds, and runs the mini-app or the tests. See ./ado help
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
preset=${ADO_PRESET:-openmp}
build=$root/build/$preset
log=$build/ado.log
own_cmake=$root/build/_deps/cmake-3.31.6 # where the machine's is too old
[ ! -d "$own_cmake" ] || PATH=$own_cmake/cmake/data/bin:$PATH

help() {
  cat <<'EOF'
./ado run [option...]   install what is missing, build, and run the mini-app with these options
./ado test [option...]  the same, and run the tests; the options go to ctest
./ado explain [WORD]    what a column, a limiter, a variant ... means
./ado compare A B       two results of --json; also list, dry-run, selftest, profile, ncu, completion, man
./ado report FILE...    make a page with pictures of what --json wrote; ./ado report --help
./ado history FILE...   the same over time: ratios from run to run
./ado export FORMAT F   what --json wrote, for Google Benchmark's or hyperfine's tools
./ado help              this text; ./ado run --help shows the mini-app's options

On Debian and Ubuntu as root, missing packages are listed and then installed with apt-get. Elsewhere
you get the list. All else stays in build/. Kokkos: an installed one, else a prebuilt CPU one is
downloaded from the Python package index (26 MB). For a GPU, or another Kokkos, configure by hand once:
  cmake --preset cuda -DKokkos_ROOT=DIR && ADO_PRESET=cuda ./ado run
  cmake --preset openmp -DKokkos_ROOT=DIR && ./ado run

ADO_PRESET=openmp|cuda|asan|tsan  which build (build/<preset>); ADO_WERROR=1  warnings are errors
Exit status: the program's own; 69 if something has to be installed first; 70 if it cannot be built.
EOF
}

say() { printf 'ado: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
any_file() { for file; do [ -e "$file" ] && return 0; done; return 1; }
cached() { grep -q "^$1\$" "$build/CMakeCache.txt" 2>/dev/null; }

# --- What has to be there: "package:what it is for" a line, for what is missing. -----------------

# Python with a module; the machine's own python3 counts beside one that the user put before it. What lies
# in the current folder is no module of theirs: the first place where Python looks goes, and -I leaves it out.
python_has() {
  python3 -c "import sys; del sys.path[0]; import $1" 2>/dev/null ||
    /usr/bin/python3 -c "import sys; del sys.path[0]; import $1" 2>/dev/null
}

missing() {
  have "${CXX:-c++}" || echo "g++:the C++ compiler"
  have cmake || echo "cmake:configures the build (3.25 or newer)"
  have ninja || echo "ninja-build:runs the build"
  [ -n "${Kokkos_ROOT:-}${Kokkos_DIR:-}" ] || any_file "$root"/build/_deps/pygenten-*/ || python_has pip ||
    echo "python3-pip:downloads the prebuilt Kokkos"
  any_file /usr/include/CLI/CLI.hpp /usr/local/include/CLI/CLI.hpp || echo "libcli11-dev:reads the command line"
  any_file /usr/include/nlohmann/json.hpp /usr/local/include/nlohmann/json.hpp ||
    echo "nlohmann-json3-dev:writes the results as JSON"
  [ "$1" = test ] || return 0
  any_file /usr/include/gtest/gtest.h /usr/local/include/gtest/gtest.h || echo "libgtest-dev:the test framework"
  python_has numpy || echo "python3-numpy:tests compare results with NumPy's"
}

list_packages() { printf '%s\n' "$list" | while IFS=: read -r name why; do printf '  %-20s%s\n' "$name" "$why" >&2; done; }

# A wrapper, for the messages are read below. Asked --assume-no it prints the sizes only.
apt() { LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get --no-install-recommends "$@"; }

install_missing() {
  verb=$1
  list=$(missing "$verb")
  [ -n "$list" ] || return 0
  # shellcheck disable=SC2046 # one word for each package
  set -- $(printf '%s\n' "$list" | cut -d: -f1)
  if ! have apt-get || [ "$(id -u)" != 0 ]; then
    say "please install first:"
    list_packages
    if have apt-get; then
      say "with: sudo apt-get install --no-install-recommends $*"
    else
      say "with this system's package manager (the names are Debian's); then run ./ado $verb again"
    fi
    exit 69
  fi
  sizes=$(apt install --assume-no "$@" 2>&1 </dev/null)
  if [ $? = 100 ]; then # a package is not known yet
    step "reading the package lists" apt update
    sizes=$(apt install --assume-no "$@" 2>&1 </dev/null)
  fi
  say "to be installed with apt-get:"
  list_packages
  printf '%s\n' "$sizes" | sed -n 's/^Need to get \(.*\) of archives.*/  (download: \1)/p
    s/^After this operation, \(.*\) of additional.*/  (on disk: \1)/p' >&2
  step "installing" apt install -y "$@" ||
    { step "once more, with new package lists" apt update && step "installing" apt install -y "$@"; } || {
      tail -n 3 "$log" >&2
      say "they could not be installed; are the package mirrors within reach? The whole log is $log"
      exit 69
    }
}

# --- Steps: quiet, with their output in the log. --------------------------------------------------

# Reads what a step prints into the log; ninja's [done/all] becomes one progress line.
follow() {
  started=
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      "[0/"*) ;; # ninja looks for new files, and mostly finds nothing to do
      "["[0-9]*/[0-9]*"] "*)
        if [ -t 2 ]; then
          printf '\r\033[Kado: building %s' "${line%%] *}]" >&2
        elif [ -z "$started" ]; then
          say "building (log: ${log#"$root"/})"
        fi
        started=1 ;;
    esac
    printf '%s\n' "$line" >>"$log"
  done
  [ -t 2 ] && [ -n "$started" ] && printf '\r\033[K' >&2
}

# step NAME COMMAND... The status goes a way of its own, for the output may hold anything and need not
# end its last line. The command does not get the lock (9): what it leaves running must not hold it.
step() {
  name=$1; shift
  [ -n "$name" ] && say "$name"
  status=$({ { "$@" 2>&1 3>&- 9>&-; echo $? >&3; } </dev/null | follow; } 3>&1 >/dev/null)
  return "${status:-70}"
}

failed() {
  tail -n 40 "$log" >&2
  say "failed: ${name:-building}; the whole log is $log"
  exit 70
}

# A newer CMake than the machine has, in build/ alone: from the Python package index, for most machines
# that need it reach one, by its hash (for x86_64 and aarch64).
get_cmake() {
  python=python3
  $python -I -m pip --version >/dev/null 2>&1 || python=/usr/bin/python3
  $python -I -m pip --version >/dev/null 2>&1 || {
    say "CMake $version is too old: 3.25 or newer is needed; please install one, or python3-pip: with that"
    say "./ado downloads one into build/"
    exit 69
  }
  rm -rf "$own_cmake.new"
  mkdir -p "$own_cmake.new" || exit 70
  cat >"$own_cmake.new/requirements.txt" <<EOF
cmake==${own_cmake##*-} \\
  --hash=sha256:1c8b05df0602365da91ee6a3336fe57525b137706c4ab5675498f662ae1dbcec \\
  --hash=sha256:42d9883b8958da285d53d5f69d40d9650c2d1bcf922d82b3ebdceb2b3a7d4521
EOF
  step "downloading CMake ${own_cmake##*-} into build/ (28 MB), for CMake $version is too old" \
    $python -I -m pip install --quiet --no-input --disable-pip-version-check --no-deps --only-binary=:all: \
    --require-hashes --requirement "$own_cmake.new/requirements.txt" --target "$own_cmake.new" ||
    { rm -rf "$own_cmake.new"; failed; }
  mv "$own_cmake.new" "$own_cmake" || exit 70
  PATH=$own_cmake/cmake/data/bin:$PATH
}

configure() {
  have cmake || { say "there is no cmake"; exit 69; }
  version=$(cmake --version | sed -n 's/^cmake version //p')
  case $version in
    [012].* | 3.[0-9].* | 3.1[0-9].* | 3.2[0-4].*) get_cmake ;;
  esac
  tests=OFF; [ "$1" = test ] && tests=ON
  # What was configured by hand keeps its Kokkos. A prebuilt one comes before building it from source.
  set -- -DADO_TESTS=$tests
  [ -e "$build/CMakeCache.txt" ] || set -- "$@" "-DADO_KOKKOS=installed;wheel;release"
  [ "${ADO_WERROR:-}" != 1 ] || set -- "$@" -DADO_WARNINGS_AS_ERRORS=ON
  step "configuring build/$preset" cmake -S "$root" --preset "$preset" "$@" || failed
  cat "$build/summary.txt" >&2
}

is_configured() {
  [ -e "$build/build.ninja" ] || [ -e "$build/Makefile" ] || return 1
  [ "$1" = run ] || cached ADO_TESTS:BOOL=ON || return 1
  [ "${ADO_WERROR:-}" != 1 ] || cached ADO_WARNINGS_AS_ERRORS:BOOL=ON
}

# Two at once would take each other's half-made files. The log is the lock: it goes with this process.
prepare() {
  why=$({ mkdir -p "$build" && : >>"$log"; } 2>&1) || {
    say "cannot write to ${log#"$root"/}: ${why##*: }"
    say "build as a user who may write to $root, or in a copy of it"
    exit 70
  }
  exec 9>>"$log"
  if have flock && ! flock -n 9; then
    say "waiting for another ./ado in this folder"
    flock 9
  fi
  : >"$log"
  is_configured "$1" || { install_missing "$1" && configure "$1"; }
}

# Builds, and lets the next ./ado in.
build() {
  step "" cmake --build "$build" "$@" || failed
  exec 9>&-
}

# The program recommends commands as they were typed.
export ADO_PROGRAM="$0"

case ${1:-help} in
  run)
    shift
    prepare run
    build --target miniapp
    # One thread a core, spread over the machine, unless the user says otherwise. Where the machine
    # does not show its cores, as in some containers, libgomp would only complain.
    [ -d /sys/devices/system/cpu/cpu0/topology ] && [ -z "${GOMP_CPU_AFFINITY-}${KMP_AFFINITY-}" ] &&
      export OMP_PROC_BIND="${OMP_PROC_BIND-spread}" OMP_PLACES="${OMP_PLACES-threads}"
    exec "$build/bin/miniapp" "$@" ;;
  explain | compare | list | dry-run | selftest | profile | ncu | completion | man)
    prepare run
    build --target miniapp
    exec "$build/bin/miniapp" "$@" ;;
  __complete) # a shell asks at each key: nothing is built
    [ $# != 2 ] || printf '%s\n' test report history export help | grep "^$2"
    exec "$build/bin/miniapp" "$@" ;;
  test)
    shift
    prepare test
    build
    unset ADO_PROGRAM
    say "tests with the label nightly are left out; cd $root && ctest --preset nightly runs them"
    # Most tests leave a core idle. What may not run beside others says so itself.
    results=$build/tests.xml
    rm -f "$results"
    cd "$root" || exit 70
    ctest --preset "$preset" --parallel "$(nproc 2>/dev/null || echo 1)" --output-junit "$results" "$@"
    status=$?
    [ -e "$results" ] && have python3 && python3 tests/project/skipped.py "$results" "build/$preset"
    exit $status ;;
  report | history | export)
    script=$root/benchmarks/$1.py
    shift
    have python3 || { say "there is no python3"; exit 69; }
    exec python3 "$script" "$@" ;;
  help | -h | --help) help ;;
  *) say "unknown command '$1'"; help >&2; exit 2 ;;
esac
