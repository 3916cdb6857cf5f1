# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings, machine flags, arithmetic and line information of our own targets. A function and not a linked target,
# so that nothing of it is exported to whoever links the library.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/AdoMiniapp.cmake)

option(ADO_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(ADO_ARCH "" CACHE STRING "CPU to compile our own host code for (-march=...); empty: the compiler's default")

# -Wdouble-promotion finds the bare double literal that makes a float kernel compute in double.
# A thread of OpenMP may have a stack of 64 KiB; larger arrays of a kernel go to host/thread_memory.hpp.
set(ado_warning_flags -Wall -Wextra -Wshadow -Wdouble-promotion -Wnon-virtual-dtor -Wunused -Wframe-larger-than=16384)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND ado_warning_flags -Wno-restrict) # GCC 12 finds it in "text" + std::string (GCC bug 105651)
endif()

# What judges results has these behind CMAKE_CXX_FLAGS, which are the kernels': with -ffast-math, a NaN would be right.
# Multiply-adds stay: ceilings are measured with them.
set(ado_judge_flags -fno-finite-math-only -fno-unsafe-math-optimizations -fno-associative-math -fno-reciprocal-math
  -fsigned-zeros)

# ado_judges(TARGETS target... SOURCES file...): these judge.
function(ado_judges)
  cmake_parse_arguments(arg "" "" "TARGETS;SOURCES" ${ARGN})
  list(JOIN ado_judge_flags "," host_of_nvcc)
  set(flags "$<$<COMPILE_LANGUAGE:CXX>:${ado_judge_flags}>" "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_of_nvcc}>")
  foreach(target IN LISTS arg_TARGETS)
    target_compile_options(${target} PRIVATE "${flags}")
  endforeach()
  set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY COMPILE_OPTIONS "${flags}")
endfunction()

function(ado_compile_options target)
  ado_align_code(${target})
  # With line information profilers show a kernel's source, at no cost in speed.
  # nvcc reads the host compiler's pragmas and the host compiler nvcc's (unroll): neither is a fault.
  list(JOIN ado_warning_flags "," host_of_nvcc)
  # A kernel that calls a function of the host is wrong, and nvcc only warns.
  set(host_calls 20011,20012,20013,20014,20015)
  set(cuda -lineinfo "-Xcompiler=${host_of_nvcc},-Wno-unknown-pragmas" --diag-suppress=1675 --diag-error=${host_calls})
  set(cxx ${ado_warning_flags})
  if(ADO_ARCH)
    list(APPEND cuda -Xcompiler=-march=${ADO_ARCH})
    list(APPEND cxx -march=${ADO_ARCH})
  endif()
  if(CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper$")
    list(APPEND cxx -lineinfo -Wno-unknown-pragmas -Wno-parentheses "SHELL:-Xcudafe --diag_suppress=1675"
      "SHELL:-Xcudafe --diag_error=${host_calls}")
  else()
    list(APPEND cxx -Wpedantic) # what nvcc writes for the host compiler is not pedantic, and has parentheses to spare
  endif()
  if(ADO_WARNINGS_AS_ERRORS)
    list(APPEND cxx -Werror)
    list(APPEND cuda -Werror=all-warnings -Xcompiler=-Werror)
  endif()
  if(NOT PROJECT_IS_TOP_LEVEL) # warnings and -Werror of a project that includes this one are for its own code
    list(APPEND cxx -w)
    list(APPEND cuda -w)
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${cxx}>" "$<$<COMPILE_LANGUAGE:CUDA>:${cuda}>")
endfunction()
