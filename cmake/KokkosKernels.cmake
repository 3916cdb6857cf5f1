# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kokkos Kernels, optional: the BLAS twins. From where Kokkos came from, for both must be of one build.
# Sets ADO_HAVE_KOKKOS_KERNELS; the target is Kokkos::kokkoskernels.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Kokkos.cmake)

option(ADO_KOKKOS_KERNELS "Use Kokkos Kernels where it can be had" ON)
set(ado_kernels_url https://github.com/kokkos/kokkos-kernels/releases/download/4.7.02/kokkos-kernels-4.7.02.tar.gz)
set(ado_kernels_sha256 2d3b3e10ac112e382b88c50d66e4222ce543fca5d42be6d8376a684b82b8b238)

set(ADO_HAVE_KOKKOS_KERNELS FALSE)
set(ado_kernels_missing "")
if(NOT ADO_KOKKOS_KERNELS)
  set(ado_kernels_missing "ADO_KOKKOS_KERNELS=OFF")
elseif(FETCHCONTENT_SOURCE_DIR_KOKKOSKERNELS OR ADO_KOKKOS_ORIGIN STREQUAL release)
  ado_can_fetch(kokkoskernels ${ado_kernels_url} ado_reachable)
  if(ado_reachable)
    # Of the parts only BLAS is used; all of them take an hour to build. What ado calls of it is compiled in ado's own
    # files; instantiated beforehand it would be another 114 files, and only for f64.
    set(KokkosKernels_ENABLE_ALL_COMPONENTS OFF CACHE BOOL "ado uses BLAS only")
    set(KokkosKernels_ENABLE_COMPONENT_BLAS ON CACHE BOOL "what ado uses")
    set(KokkosKernels_INST_DOUBLE OFF CACHE BOOL "ado instantiates what it calls")
    if(ADO_KOKKOS_IS_CUDA_LANGUAGE)
      set(Kokkos_COMPILE_LANGUAGE CUDA) # an installed Kokkos says so, one that is built here does not
    endif()
    FetchContent_Declare(kokkoskernels URL ${ado_kernels_url} URL_HASH SHA256=${ado_kernels_sha256} SYSTEM)
    FetchContent_MakeAvailable(kokkoskernels)
    get_directory_property(KokkosKernels_VERSION
      DIRECTORY "${kokkoskernels_SOURCE_DIR}" DEFINITION KokkosKernels_VERSION)
    set(ADO_HAVE_KOKKOS_KERNELS TRUE)
    set(ado_kernels_license LICENSE "Apache-2.0 WITH LLVM-exception")
    if(FETCHCONTENT_SOURCE_DIR_KOKKOSKERNELS)
      ado_say("Kokkos Kernels" "${KokkosKernels_VERSION}: built here from ${FETCHCONTENT_SOURCE_DIR_KOKKOSKERNELS}")
      ado_used("Kokkos Kernels" VERSION "${KokkosKernels_VERSION}" ${ado_kernels_license}
        WHERE "built from sources that the user named")
    else()
      ado_say("Kokkos Kernels" "${KokkosKernels_VERSION}: built here from its release")
      ado_used("Kokkos Kernels" VERSION "${KokkosKernels_VERSION}" ${ado_kernels_license} URL "${ado_kernels_url}"
        SHA256 ${ado_kernels_sha256} WHERE "built from its release")
    endif()
  else()
    set(ado_kernels_missing "no download from here (-DFETCHCONTENT_SOURCE_DIR_KOKKOSKERNELS=DIR names sources)")
  endif()
elseif(ADO_KOKKOS_ORIGIN STREQUAL wheel)
  set(KokkosKernels_DIR "${ADO_WHEEL_DIR}/pygenten/lib64/cmake/KokkosKernels" CACHE PATH "" FORCE)
  find_package(KokkosKernels CONFIG REQUIRED QUIET)
  # The wheel's OpenBLAS does not say where its own libraries are. The old kind of run path holds for
  # the libraries of a library as well.
  target_link_options(Kokkos::BLAS INTERFACE -Wl,--disable-new-dtags)
  set(ADO_HAVE_KOKKOS_KERNELS TRUE)
  ado_say("Kokkos Kernels" "4.4.0, from the same wheel, with its single-threaded OpenBLAS")
  ado_used("Kokkos Kernels" VERSION 4.4.0 LICENSE "Apache-2.0 WITH LLVM-exception"
    WHERE "prebuilt, from the wheel ${ado_wheel}")
  ado_used(OpenBLAS VERSION 0.3.15 LICENSE BSD-3-Clause WHERE "prebuilt, from the wheel ${ado_wheel}")
  ado_used("GCC runtime libraries" LICENSE "GPL-3.0-or-later WITH GCC-exception-3.1"
    WHERE "libgfortran and libquadmath of the wheel, and the compiler's own libgomp")
else()
  if(KokkosKernels_DIR MATCHES "/pygenten-[^/]*/")
    unset(KokkosKernels_DIR CACHE) # of another Kokkos, which an earlier configuration took
  endif()
  find_package(KokkosKernels CONFIG QUIET)
  if(KokkosKernels_FOUND)
    set(ADO_HAVE_KOKKOS_KERNELS TRUE)
    ado_say("Kokkos Kernels" "${KokkosKernels_VERSION}, installed (${KokkosKernels_DIR})")
    ado_used("Kokkos Kernels" VERSION "${KokkosKernels_VERSION}" LICENSE "Apache-2.0 WITH LLVM-exception"
      WHERE "installed on the machine that ado was built on")
  else()
    set(ado_kernels_missing "none installed (name one with -DKokkosKernels_ROOT=DIR)")
  endif()
endif()
if(ado_kernels_missing)
  ado_say(skipped "Kokkos Kernels variants: ${ado_kernels_missing}")
endif()
