# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles each call of a source alone and compares the first error with the text in the source.
cmake_policy(VERSION 3.25)
file(STRINGS ${source} texts REGEX "// first: ")
list(TRANSFORM texts REPLACE ".*// first: " "")
set(call 0)
foreach(text IN LISTS texts)
  math(EXPR call "${call} + 1")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} --target refusals_no_view_${call}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX MATCH "error: [^\n]*" error "${output}")
  string(FIND "${error}" "${text}" found)
  if(status EQUAL 0 OR found EQUAL -1)
    message(SEND_ERROR "call ${call}: the first error should say \"${text}\":\n${output}")
  endif()
endforeach()
message("${call} first errors are as they should be")
