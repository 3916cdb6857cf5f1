# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes OUTPUT, the cards of the variants in FILES: the comment that each file opens with, which explain
# shows. Run with cmake -DROOT=... -DFILES=a:b -DOUTPUT=... -P Cards.cmake
cmake_policy(VERSION 3.25)
string(REPLACE ":" ";" files "${FILES}")
set(text "#include <ado/registry/registry.hpp>\n\nnamespace {\n\nconst ado::bench::Registration cards[]{\n")
foreach(file IN LISTS files)
  file(READ "${file}" source)
  string(REGEX MATCH "^(// SPDX[^\n]*\n)?((//[^\n]*\n)+)" ignored "${source}")
  string(REGEX REPLACE "(^|\n)// ?" "\\1" card "${CMAKE_MATCH_2}")
  cmake_path(IS_PREFIX ROOT "${file}" in_root)
  if(in_root) # else the compiler gets the whole path too
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${ROOT}")
  endif()
  string(APPEND text "    ado::bench::Registration{ado::bench::Card{\"${file}\", R\"card(${card})card\"}},\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}};\n\n} // namespace\n")
