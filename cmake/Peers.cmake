# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the libraries have in common that transposes on many ranks are compared with.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Summary.cmake)

# ado_peer_option(ADO_NCCL NCCL): the option auto, on or off, in small letters.
macro(ado_peer_option option title)
  set(${option} auto CACHE STRING "auto: use ${title} where it is found; on: require it; off: without")
  set_property(CACHE ${option} PROPERTY STRINGS auto on off)
  string(TOLOWER "${${option}}" ${option})
endmacro()

# ado_say_missing(ADO_NCCL NCCL "NCCL's all-to-all" "no MPI"): an error where the option is on, else a line of the
# summary; nothing where `why` is empty.
function(ado_say_missing option title variant why)
  if(why AND ${option} STREQUAL on)
    message(FATAL_ERROR "${option}=on, but ${title} cannot be had: ${why}")
  elseif(why)
    ado_say(skipped "${variant}: ${why}")
  endif()
endfunction()
