# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ado_harden(target): what reads files and command lines is compiled so that a bug in it ends the program
# and is no way in: checked C functions and containers, guarded stacks, a program at a random address whose
# tables are read-only once it runs. Kernels are compiled without, for they are what is measured.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Summary.cmake)
include(CheckCXXSourceCompiles)

option(ADO_HARDENING "Harden the mini-app: checked C functions and containers, guarded stacks, PIE, read-only tables" ON)

# Objects of one program are all made for any address or none are: it is the compiler's default that counts.
check_cxx_source_compiles("
#ifndef __PIE__
#error not by default
#endif
int main() {}" ADO_PIE_BY_DEFAULT)

set(ADO_NOT_HARDENED_BECAUSE "")
if(NOT ADO_HARDENING)
  set(ADO_NOT_HARDENED_BECAUSE "ADO_HARDENING=OFF")
elseif(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  set(ADO_NOT_HARDENED_BECAUSE "not known for ${CMAKE_CXX_COMPILER_ID} on ${CMAKE_SYSTEM_NAME}")
elseif("${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
  set(ADO_NOT_HARDENED_BECAUSE "a sanitizer checks more, and could not see what the C library checks")
endif()
if(ADO_NOT_HARDENED_BECAUSE)
  ado_say(skipped "hardening: ${ADO_NOT_HARDENED_BECAUSE}")
endif()

function(ado_harden target)
  if(ADO_NOT_HARDENED_BECAUSE)
    return()
  endif()
  # The C library checks only where the compiler optimizes, and warns where it does not.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  set(fortify -U_FORTIFY_SOURCE)
  if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" MATCHES "-O[1-3s]")
    list(APPEND fortify -D_FORTIFY_SOURCE=2)
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong;${fortify};-D_GLIBCXX_ASSERTIONS>")
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL EXECUTABLE)
    target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now,-z,noexecstack)
    if(ADO_PIE_BY_DEFAULT)
      target_link_options(${target} PRIVATE -pie)
    endif()
  endif()
endfunction()
