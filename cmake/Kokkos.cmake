# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kokkos 4.5 to 5.x: the one of the project that includes this one, else an installed one, else the
# pinned release built here, else (CPU only) the prebuilt one from a Python wheel. Sets
# ADO_KOKKOS_ORIGIN to parent, installed, release or wheel.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Cuda.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Fetch.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/KokkosInstalled.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/KokkosRelease.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/KokkosWheel.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Summary.cmake)

set(ADO_KOKKOS auto CACHE STRING
  "Where Kokkos may come from, in order: a list of installed, release, wheel; auto is all three")

# Kokkos is compiled without GNU extensions and asks the same of who uses it.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_EXTENSIONS OFF)

if(ADO_KOKKOS STREQUAL auto)
  set(ado_kokkos_order installed release wheel)
else()
  set(ado_kokkos_order ${ADO_KOKKOS})
endif()
set(ado_kokkos_root "${Kokkos_ROOT}")
if(NOT ado_kokkos_root)
  set(ado_kokkos_root "$ENV{Kokkos_ROOT}")
endif()
# What the user named wins. After that a second configuration takes the wheel that the first one took.
if(FETCHCONTENT_SOURCE_DIR_KOKKOS)
  set(ado_kokkos_order release)
elseif(ado_kokkos_root)
  set(ado_kokkos_order installed)
elseif(Kokkos_DIR STREQUAL ADO_WHEEL_KOKKOS_DIR)
  if(wheel IN_LIST ado_kokkos_order)
    set(ado_kokkos_order wheel)
  else()
    unset(Kokkos_DIR CACHE)
  endif()
endif()

if(TARGET Kokkos::kokkos)
  set(ADO_KOKKOS_ORIGIN parent)
  set(ado_kokkos_where "of the including project")
endif()

set(ado_kokkos_refusals "")
macro(ado_refuse_kokkos source reason)
  string(APPEND ado_kokkos_refusals "\n  ${source}: ${reason}")
  message(STATUS "Kokkos, ${source}: ${reason}")
endmacro()

foreach(ado_source IN LISTS ado_kokkos_order)
  if(NOT ADO_KOKKOS_ORIGIN)
    if(NOT ado_source MATCHES "^(installed|release|wheel)$")
      message(FATAL_ERROR "ADO_KOKKOS=${ADO_KOKKOS}: use auto, or a list of installed, release and wheel")
    endif()
    cmake_language(CALL ado_kokkos_from_${ado_source})
  endif()
endforeach()
if(NOT ADO_KOKKOS_ORIGIN)
  message(FATAL_ERROR "No Kokkos to build with:${ado_kokkos_refusals}")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/KokkosBackends.cmake)
list(JOIN ADO_KOKKOS_BACKENDS ", " ado_backends)
ado_say(Kokkos "${Kokkos_VERSION} with ${ado_backends}: ${ado_kokkos_where}")
