# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# GoogleTest: GTest::gtest and GTest::gtest_main. 1.12 is what Debian 12 has.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Fetch.cmake)
include(${CMAKE_ROOT}/Modules/GoogleTest.cmake) # gtest_discover_tests; by path, for this file has its name

set(INSTALL_GTEST OFF CACHE BOOL "GoogleTest is not part of an installed ado")
set(BUILD_GMOCK OFF CACHE BOOL "ado uses GoogleTest only")
ado_dependency(GTest
  VERSION 1.12
  RELEASE 1.15.2
  URL https://github.com/google/googletest/archive/refs/tags/v1.15.2.tar.gz
  SHA256 7b42b4d6ed48810c5362c265a17faebe90dc2373c885e5216439d37927f02926
  DEBIAN libgtest-dev
  LICENSE BSD-3-Clause
  TESTS)
