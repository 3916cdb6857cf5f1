#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Types README's commands for a GPU in a fresh clone, without a network, and says how many minutes each took.
#   tests/project/gpu_readme.sh sources KOKKOS KERNELS     Kokkos and Kokkos Kernels are built in the same folder
#   tests/project/gpu_readme.sh installed KOKKOS KERNELS   Kokkos is installed first, and Kokkos_ROOT names it
#   tests/project/gpu_readme.sh wrapper KOKKOS KERNELS     so, and nvcc_wrapper is the C++ compiler
# KOKKOS, KERNELS: folders with their sources. CMAKE_PREFIX_PATH says where CLI11, nlohmann-json and GoogleTest are, if
# they are not installed. The clone goes to ADO_CLONE, by default in a folder of /tmp, and stays: where that is there
# already, the script goes on with it.
set -euo pipefail
case "$#${1:-}" in 3sources | 3installed | 3wrapper) ;; *) false ;; esac || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
way=$1 kokkos=$(realpath "$2") kernels=$(realpath "$3") root=$(realpath "$(dirname "$0")/../..")
clone=${ADO_CLONE:-$(mktemp -d)/ado}

times=
timed() {
  local begin=$SECONDS status=0
  printf '\n$ %s\n' "$*"
  eval "$*" </dev/null || status=$?
  times+=$(printf '%6.1f min  status %d  %s' "$(awk "BEGIN { print ($SECONDS - $begin) / 60 }")" $status "$*")$'\n'
  [ $status = 0 ] || { printf '\n%s' "$times"; exit $status; }
}

# A Kokkos older than 4.7.01 does not compile under CUDA 13 by itself.
install_kokkos() {
  local header=$clone/cmake/cuda13_for_older_kokkos.h
  timed cmake -S "$kokkos" -B "$clone.kokkos" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 \
    -DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON "$@" "'-DCMAKE_${language}_FLAGS=$flags-include $header'"
  timed cmake --build "$clone.kokkos"
  timed cmake --install "$clone.kokkos" --prefix "$clone.installed" '>' "$clone.install.log"
}

if [ -d "$clone" ]; then
  echo "going on in $clone"
elif git -C "$root" rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
  git clone --quiet "$root" "$clone"
else
  mkdir -p "$clone" && tar -c -C "$root" --exclude=./build --exclude=./.git . | tar -x -C "$clone"
fi
cd "$clone"
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader --id=0 | tr -d .)
options=-DFETCHCONTENT_SOURCE_DIR_KOKKOSKERNELS=$kernels language=CUDA flags=
case $way in
  sources)
    options+=" -DFETCHCONTENT_SOURCE_DIR_KOKKOS=$kokkos" ;;
  installed)
    install_kokkos -DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON
    options+=" -DKokkos_ROOT=$clone.installed" ;;
  wrapper)
    language=CXX flags="-arch=sm_$capability "
    install_kokkos "-DCMAKE_CXX_COMPILER=$kokkos/bin/nvcc_wrapper"
    options+=" -DKokkos_ROOT=$clone.installed -DCMAKE_CXX_COMPILER=$clone.installed/bin/nvcc_wrapper"
    options+=" -DCMAKE_CXX_FLAGS=-arch=sm_$capability" ;;
esac

# The lines of README, with these options in the place of the one that it names.
while IFS= read -r line; do
  line=${line%%  *} # without the comment
  timed "${line/-DKokkos_ROOT=DIR/$options}"
done < <(sed -n '/^## On a GPU/,/^## /s/^    //p' README.md)
timed ADO_PRESET=cuda ./ado run --variant team
printf '\n%d cores, Kokkos: %s\n%s' "$(nproc)" "$way" "$times"
