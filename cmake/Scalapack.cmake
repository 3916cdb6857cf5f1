# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ScaLAPACK, optional: a yardstick for transposes on many ranks. Never required and never installed by ado. Of those that
# are installed it is the one for the MPI that ado is built for, as a program that runs tells. Sets ADO_HAVE_SCALAPACK;
# the target is ado_scalapack.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Mpi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Peers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake)
include(CheckCXXSourceRuns)

ado_peer_option(ADO_SCALAPACK ScaLAPACK)

set(ado_scalapack_found "")
foreach(library IN ITEMS scalapack scalapack-openmpi scalapack-mpich)
  string(MAKE_C_IDENTIFIER "ADO_${library}_LIBRARY" variable)
  string(TOUPPER ${variable} variable)
  find_library(${variable} ${library})
  if(${variable})
    list(APPEND ado_scalapack_found ${${variable}})
  endif()
endforeach()

function(ado_scalapack_works library result)
  set(CMAKE_REQUIRED_LIBRARIES ${library} MPI::MPI_CXX)
  unset(ADO_SCALAPACK_WORKS CACHE) # it may be another one this time
  check_cxx_source_runs([[
    #include <mpi.h>
    extern "C" {
    int Csys2blacs_handle(MPI_Comm);
    void Cblacs_gridinit(int*, const char*, int, int);
    void pdtran_(const int*, const int*, const double*, const double*, const int*, const int*, const int*, const double*,
                 double*, const int*, const int*, const int*);
    }
    int main(int argc, char** argv) {
      MPI_Init(&argc, &argv);
      int context = Csys2blacs_handle(MPI_COMM_SELF);
      Cblacs_gridinit(&context, "Row", 1, 1);
      const int m = 2, n = 3, one = 1, of_a[9] = {1, context, 3, 2, 3, 2, 0, 0, 3}, of_b[9] = {1, context, 2, 3, 2, 3, 0, 0, 2};
      const double a[6] = {0, 1, 2, 3, 4, 5}, alpha = 1, beta = 0;
      double b[6] = {};
      pdtran_(&m, &n, &alpha, a, &one, &one, of_a, &beta, b, &one, &one, of_b);
      MPI_Finalize();
      return b[1] != 3;
    }]] ADO_SCALAPACK_WORKS)
  set(${result} ${ADO_SCALAPACK_WORKS} PARENT_SCOPE)
endfunction()

set(ADO_HAVE_SCALAPACK FALSE)
set(ado_scalapack_missing "")
if(ADO_SCALAPACK STREQUAL off)
  set(ado_scalapack_missing "ADO_SCALAPACK=off")
elseif(NOT ADO_HAVE_MPI)
  set(ado_scalapack_missing "no MPI")
elseif(NOT ado_scalapack_found)
  set(ado_scalapack_missing
      "not installed (Debian and Ubuntu: apt-get install libscalapack-openmpi-dev, or libscalapack-mpich-dev)")
else()
  foreach(library IN LISTS ado_scalapack_found)
    if(NOT ADO_HAVE_SCALAPACK)
      ado_scalapack_works(${library} ADO_HAVE_SCALAPACK)
      set(ado_scalapack_library ${library})
    endif()
  endforeach()
  if(ADO_HAVE_SCALAPACK)
    add_library(ado_scalapack INTERFACE)
    target_link_libraries(ado_scalapack INTERFACE ${ado_scalapack_library} MPI::MPI_CXX)
    ado_say(ScaLAPACK "${ado_scalapack_library}")
    ado_used(ScaLAPACK LICENSE BSD-3-Clause WHERE "installed on the machine that ado was built on")
  else()
    list(JOIN ado_scalapack_found ", " ado_scalapack_found)
    set(ado_scalapack_missing "${ado_scalapack_found}: built for another MPI than ${MPI_CXX_COMPILER}, it seems")
  endif()
endif()
ado_say_missing(ADO_SCALAPACK ScaLAPACK "ScaLAPACK's transpose" "${ado_scalapack_missing}")
