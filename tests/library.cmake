# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The library as its users have it: the public functions, the headers, the OpenMP runtime, the package.

# Links the library and nothing else of ours.
file(GLOB api_tests CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} api_*_test.cpp)
add_executable(api_test ${api_tests})
target_link_libraries(api_test PRIVATE ado::ado kokkos_main GTest::gtest)
ado_kokkos_sources(api_test)
ado_compile_options(api_test)
gtest_discover_tests(api_test DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
  PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)

if(openmp IN_LIST ADO_KOKKOS_BACKENDS)
  # Links what the mini-app links, for that decides which OpenMP runtimes are loaded.
  add_executable(openmp_runtime_test openmp_runtime_test.cpp)
  target_link_libraries(openmp_runtime_test PRIVATE ado_bench kokkos_main GTest::gtest)
  ado_kokkos_sources(openmp_runtime_test)
  ado_compile_options(openmp_runtime_test)
  gtest_discover_tests(openmp_runtime_test DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES
    ENVIRONMENT "OMP_PROC_BIND=spread;OMP_PLACES=threads"
    ENVIRONMENT_MODIFICATION "OMP_NUM_THREADS=unset:;KOKKOS_NUM_THREADS=unset:")
endif()

add_subdirectory(headers)
add_subdirectory(refusals)
include(package.cmake)
