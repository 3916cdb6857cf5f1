# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The configure summary: what was taken, what is built, and what is not and why.
# Any file of the build adds its line with ado_say; ado_print_summary comes last in the top-level file.
include_guard(GLOBAL)

# ado_say(Kokkos "4.7.0, ..."), ado_say(built "mini-app"), ado_say(skipped "native_cuda: no nvcc found")
function(ado_say topic text)
  set_property(GLOBAL APPEND PROPERTY ADO_SUMMARY_TOPICS "${topic}")
  set_property(GLOBAL APPEND PROPERTY "ADO_SUMMARY_${topic}" "${text}")
endfunction()

function(ado_print_summary)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" flags)
  if(ADO_ARCH)
    string(APPEND flags " -march=${ADO_ARCH}")
  endif()
  ado_say("compiler" "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE} (${flags})")

  get_property(topics GLOBAL PROPERTY ADO_SUMMARY_TOPICS)
  list(REMOVE_DUPLICATES topics)
  list(REMOVE_ITEM topics built skipped)
  set(summary "ado ${PROJECT_VERSION}\n")
  foreach(topic IN LISTS topics ITEMS built skipped)
    get_property(texts GLOBAL PROPERTY "ADO_SUMMARY_${topic}")
    foreach(text IN LISTS texts)
      string(LENGTH "${topic}" length)
      math(EXPR width "15 - ${length}")
      string(REPEAT " " ${width} gap)
      string(APPEND summary "  ${topic}${gap}${text}\n")
      string(REGEX REPLACE "." " " topic "${topic}") # the name stands once, before its first line
    endforeach()
  endforeach()
  file(WRITE "${PROJECT_BINARY_DIR}/summary.txt" "${summary}")
  message("${summary}")
endfunction()
