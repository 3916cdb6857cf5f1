# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# MPI, for ado::distributed alone: nothing else of ado needs it.
# Sets ADO_HAVE_MPI. Of several MPIs -DMPI_CXX_COMPILER=mpicxx.mpich, say, chooses one.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Summary.cmake)

set(ADO_MPI auto CACHE STRING "auto: build ado::distributed where MPI is found; on: require MPI; off: without")
set_property(CACHE ADO_MPI PROPERTY STRINGS auto on off)
string(TOLOWER "${ADO_MPI}" ADO_MPI)

set(ADO_HAVE_MPI FALSE)
if(ADO_MPI STREQUAL off)
  ado_say(skipped "ado::distributed: ADO_MPI=off")
  return()
endif()
set(MPI_CXX_SKIP_MPICXX TRUE) # the C++ bindings that MPI 3 took away
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  set(ADO_HAVE_MPI TRUE)
  ado_say(MPI "${MPI_CXX_VERSION}: ${MPI_CXX_COMPILER}, ${MPIEXEC_EXECUTABLE}")
elseif(ADO_MPI STREQUAL on)
  message(FATAL_ERROR "ADO_MPI=on, but no MPI was found (Debian and Ubuntu: apt-get install libopenmpi-dev openmpi-bin; "
    "another one: -DMPI_CXX_COMPILER=/path/to/mpicxx)")
else()
  ado_say(skipped "ado::distributed: no MPI found (Debian and Ubuntu: apt-get install libopenmpi-dev openmpi-bin)")
endif()
