# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs when ado is installed. Public are lib/ado/ado.hpp, lib/ado/<algorithm>/<algorithm>.hpp, the words and what they include, and
# with the instrument what registers kernels; so the list of installed headers cannot fall behind the includes.
cmake_policy(VERSION 3.25)

set(waiting ado.hpp portable/packs.hpp)
file(GLOB folders RELATIVE "${ado_lib}" "${ado_lib}/*")
foreach(folder IN LISTS folders)
  if(NOT folder STREQUAL "bench" AND EXISTS "${ado_lib}/${folder}/${folder}.hpp")
    list(APPEND waiting ${folder}/${folder}.hpp)
  endif()
endforeach()

if(ado_with_bench)
  list(APPEND waiting bench/bench.hpp portable/variant.hpp bench/comparison.hpp cuda/variant.hpp bench/commands/main.hpp bench/io/program.hpp)
endif()

set(installed "")
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST installed)
    continue()
  endif()
  list(APPEND installed ${header})
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL "${ado_lib}/${header}" DESTINATION "${CMAKE_INSTALL_PREFIX}/include/ado/${folder}")
  file(STRINGS "${ado_lib}/${header}" includes REGEX "^#include <ado/")
  list(TRANSFORM includes REPLACE "^#include <ado/([^>]+)>.*" "\\1")
  list(APPEND waiting ${includes})
endwhile()
