# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OpenBLAS, optional: yardsticks on the CPU. Never required and never installed by ado. Two of them in
# one process would answer for each other, for they export the same names: where Kokkos Kernels
# brought one (the wheel), it is that one. Sets ADO_HAVE_OPENBLAS; the target is ado_openblas.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/KokkosKernels.cmake)
include(CheckCXXSourceRuns)

option(ADO_OPENBLAS "Use OpenBLAS where it is installed" ON)

set(ADO_HAVE_OPENBLAS FALSE)
set(ado_openblas_missing "")
find_path(ADO_OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas openblas-pthread)
if(ADO_HAVE_KOKKOS_KERNELS AND ADO_KOKKOS_ORIGIN STREQUAL wheel)
  set(ado_openblas_library Kokkos::BLAS)
  set(ado_openblas_where "the wheel's, on one thread")
else()
  find_library(ADO_OPENBLAS_LIBRARY openblas)
  set(ado_openblas_library "${ADO_OPENBLAS_LIBRARY}")
  set(ado_openblas_where "${ADO_OPENBLAS_LIBRARY}")
endif()

# The kind that is built on OpenMP may bring a second OpenMP runtime into the process.
function(ado_openblas_works result)
  set(CMAKE_REQUIRED_INCLUDES "${ADO_OPENBLAS_INCLUDE_DIR}")
  set(CMAKE_REQUIRED_LIBRARIES ${ado_openblas_library})
  unset(ADO_OPENBLAS_WORKS CACHE) # it may be another one this time
  check_cxx_source_runs([[
    #include <cblas.h>
    int main() {
      const double a[2] = {1, 2};
      double b[2];
      cblas_domatcopy(CblasRowMajor, CblasTrans, 1, 2, 1.0, a, 2, b, 1);
      return b[1] != 2 || openblas_get_parallel() == OPENBLAS_OPENMP;
    }]] ADO_OPENBLAS_WORKS)
  set(${result} ${ADO_OPENBLAS_WORKS} PARENT_SCOPE)
endfunction()

if(NOT ADO_OPENBLAS)
  set(ado_openblas_missing "ADO_OPENBLAS=OFF")
elseif(NOT ADO_OPENBLAS_INCLUDE_DIR OR NOT ado_openblas_library)
  set(ado_openblas_missing "not installed (Debian and Ubuntu: apt-get install libopenblas-pthread-dev)")
else()
  ado_openblas_works(ADO_HAVE_OPENBLAS)
  if(ADO_HAVE_OPENBLAS)
    add_library(ado_openblas INTERFACE)
    target_include_directories(ado_openblas SYSTEM INTERFACE "${ADO_OPENBLAS_INCLUDE_DIR}")
    target_link_libraries(ado_openblas INTERFACE ${ado_openblas_library})
    ado_say(OpenBLAS "${ado_openblas_where}")
    ado_used(OpenBLAS LICENSE BSD-3-Clause WHERE "installed on the machine that ado was built on")
  else()
    set(ado_openblas_missing "${ado_openblas_where} has no omatcopy, or is built on OpenMP")
  endif()
endif()
if(ado_openblas_missing)
  ado_say(skipped "OpenBLAS variants: ${ado_openblas_missing}")
endif()
