# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The pinned release of Kokkos, built in this build folder; FETCHCONTENT_SOURCE_DIR_KOKKOS names other
# sources, as CMake documents.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Fetch.cmake)

set(ado_kokkos_url https://github.com/kokkos/kokkos/releases/download/4.7.02/kokkos-4.7.02.tar.gz)
set(ado_kokkos_sha256 a81826ac0a167933d13506bc2a986fb5517038df9abb780fe9bb2c1d4e80803b)

# Kokkos asks the GPU what to compile for. Without one the user has to say it, and is told so here,
# before the download.
function(ado_require_gpu_architecture)
  if(NOT Kokkos_ENABLE_CUDA OR ADO_HAVE_GPU)
    return()
  endif()
  get_cmake_property(variables CACHE_VARIABLES)
  list(FILTER variables INCLUDE REGEX "^Kokkos_ARCH_(MAXWELL|PASCAL|VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)")
  foreach(variable IN LISTS variables)
    if(${variable})
      return()
    endif()
  endforeach()
  message(FATAL_ERROR
    "Which GPU to compile for? There is none here to ask. Name its architecture, for example "
    "-DKokkos_ARCH_HOPPER90=ON (H100, H200), -DKokkos_ARCH_AMPERE80=ON (A100) or "
    "-DKokkos_ARCH_ADA89=ON (L40, RTX 40); the hand-written kernels are compiled for the same.")
endfunction()

macro(ado_kokkos_from_release)
  ado_can_fetch(kokkos ${ado_kokkos_url} ado_reachable)
  if(ado_reachable)
    # Defaults: what the user sets with -D wins.
    option(Kokkos_ENABLE_SERIAL "Kokkos' serial backend" ON)
    option(Kokkos_ENABLE_OPENMP "Kokkos' OpenMP backend" ON)
    if(ADO_CUDA STREQUAL on)
      option(Kokkos_ENABLE_CUDA "Kokkos' CUDA backend" ON)
    endif()
    if(Kokkos_ENABLE_CUDA AND NOT CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper$")
      option(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE "Kokkos sources are CMake's CUDA language" ON)
    endif()
    ado_require_gpu_architecture()
    FetchContent_Declare(kokkos URL ${ado_kokkos_url} URL_HASH SHA256=${ado_kokkos_sha256} SYSTEM)
    FetchContent_MakeAvailable(kokkos)
    get_directory_property(Kokkos_VERSION DIRECTORY "${kokkos_SOURCE_DIR}" DEFINITION Kokkos_VERSION)
    get_directory_property(Kokkos_DEVICES DIRECTORY "${kokkos_SOURCE_DIR}" DEFINITION KOKKOS_ENABLED_DEVICES)
    get_directory_property(Kokkos_CUDA_ARCHITECTURES
      DIRECTORY "${kokkos_SOURCE_DIR}" DEFINITION KOKKOS_CUDA_ARCHITECTURES)
    if(Kokkos_VERSION VERSION_LESS 4.5)
      message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} in ${kokkos_SOURCE_DIR} is too old: ado needs 4.5 to 5.x")
    endif()
    set(ADO_KOKKOS_ORIGIN release)
    set(ado_kokkos_where "built here from its release")
    if(FETCHCONTENT_SOURCE_DIR_KOKKOS)
      set(ado_kokkos_where "built here from ${FETCHCONTENT_SOURCE_DIR_KOKKOS}")
      ado_used(Kokkos VERSION "${Kokkos_VERSION}" LICENSE "Apache-2.0 WITH LLVM-exception"
        WHERE "built from sources that the user named")
    else()
      ado_used(Kokkos VERSION "${Kokkos_VERSION}" LICENSE "Apache-2.0 WITH LLVM-exception"
        URL "${ado_kokkos_url}" SHA256 ${ado_kokkos_sha256} WHERE "built from its release")
    endif()
  else()
    ado_refuse_kokkos(release "cannot be downloaded from here: ${ado_kokkos_url} (sources that are here: -DFETCHCONTENT_SOURCE_DIR_KOKKOS=DIR)")
  endif()
endmacro()
