# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CLI11: CLI11::CLI11. 2.1.2 is what Debian 12 has.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Fetch.cmake)

ado_dependency(CLI11
  VERSION 2.1.2
  RELEASE 2.4.2
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  DEBIAN libcli11-dev
  LICENSE BSD-3-Clause)
