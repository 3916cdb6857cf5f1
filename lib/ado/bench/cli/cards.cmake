# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes OUTPUT, the cards of the variants in FILES: the comment that each file opens with. Run with
# cmake -DROOT=... -DFILES=a:b -DOUTPUT=... -P cards.cmake
string(REPLACE ":" ";" files "${FILES}")
set(text "#include <ado/bench/cli/cards.hpp>\n\nnamespace ado {\n
const std::vector<Card>& cards() {\n  static const std::vector<Card> list{\n")
foreach(file IN LISTS files)
  file(READ "${file}" source)
  string(REGEX MATCH "^// SPDX[^\n]*\n((//[^\n]*\n)+)" ignored "${source}")
  string(REGEX REPLACE "(^|\n)// ?" "\\1" card "${CMAKE_MATCH_1}")
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${ROOT}")
  string(APPEND text "{\"${file}\", R\"card(${card})card\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}};\n  return list;\n}\n\n} // namespace ado\n")
