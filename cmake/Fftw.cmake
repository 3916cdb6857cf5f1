# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FFTW with MPI, optional: a yardstick for transposes on many ranks. Never required and never installed by ado. It has to
# be built for the MPI that ado is built for: a program that runs says so. Its licence is the GPL, so what is linked with it
# may be passed on only as that says. Sets ADO_HAVE_FFTW; the target is ado_fftw.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Mpi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Peers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake)
include(CheckCXXSourceRuns)

ado_peer_option(ADO_FFTW FFTW-MPI)

find_path(ADO_FFTW_INCLUDE_DIR fftw3-mpi.h)
set(ado_fftw_libraries "")
foreach(library IN ITEMS fftw3_mpi fftw3f_mpi fftw3 fftw3f)
  string(TOUPPER "ADO_${library}_LIBRARY" variable)
  find_library(${variable} ${library})
  list(APPEND ado_fftw_libraries ${${variable}})
endforeach()

function(ado_fftw_works result)
  set(CMAKE_REQUIRED_INCLUDES "${ADO_FFTW_INCLUDE_DIR}")
  set(CMAKE_REQUIRED_LIBRARIES ${ado_fftw_libraries} MPI::MPI_CXX)
  unset(ADO_FFTW_WORKS CACHE) # it may be another one this time
  check_cxx_source_runs([[
    #include <fftw3-mpi.h>
    int main(int argc, char** argv) {
      MPI_Init(&argc, &argv);
      fftw_mpi_init();
      fftwf_mpi_init();
      double a[6], b[6];
      float c[6], d[6];
      const fftw_plan one = fftw_mpi_plan_many_transpose(2, 3, 1, 2, 3, a, b, MPI_COMM_SELF, FFTW_ESTIMATE);
      const fftwf_plan other = fftwf_mpi_plan_many_transpose(2, 3, 1, 2, 3, c, d, MPI_COMM_SELF, FFTW_ESTIMATE);
      if (!one || !other) return 1;
      for (int k = 0; k < 6; ++k) c[k] = static_cast<float>(a[k] = k);
      fftw_execute(one);
      fftwf_execute(other);
      fftw_destroy_plan(one);
      fftwf_destroy_plan(other);
      MPI_Finalize();
      return b[1] != 3 || d[1] != 3;
    }]] ADO_FFTW_WORKS)
  set(${result} ${ADO_FFTW_WORKS} PARENT_SCOPE)
endfunction()

set(ADO_HAVE_FFTW FALSE)
set(ado_fftw_missing "")
list(LENGTH ado_fftw_libraries ado_fftw_count)
if(ADO_FFTW STREQUAL off)
  set(ado_fftw_missing "ADO_FFTW=off")
elseif(NOT ADO_HAVE_MPI)
  set(ado_fftw_missing "no MPI")
elseif(NOT ADO_FFTW_INCLUDE_DIR OR ado_fftw_libraries MATCHES "NOTFOUND" OR ado_fftw_count LESS 4)
  set(ado_fftw_missing "not installed (Debian and Ubuntu: apt-get install libfftw3-dev libfftw3-mpi-dev, which need OpenMPI)")
else()
  ado_fftw_works(ADO_HAVE_FFTW)
  if(ADO_HAVE_FFTW)
    add_library(ado_fftw INTERFACE)
    target_include_directories(ado_fftw SYSTEM INTERFACE "${ADO_FFTW_INCLUDE_DIR}")
    target_link_libraries(ado_fftw INTERFACE ${ado_fftw_libraries} MPI::MPI_CXX)
    ado_say(FFTW "${ADO_FFTW3_MPI_LIBRARY}")
    ado_used(FFTW LICENSE GPL-2.0-or-later WHERE "installed on the machine that ado was built on")
  else()
    set(ado_fftw_missing "${ADO_FFTW3_MPI_LIBRARY} does not work with ${MPI_CXX_COMPILER}: it is built for another MPI, it seems")
  endif()
endif()
ado_say_missing(ADO_FFTW FFTW-MPI "FFTW-MPI's transpose" "${ado_fftw_missing}")
