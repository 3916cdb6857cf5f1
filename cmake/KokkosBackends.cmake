# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the chosen Kokkos can do, and what follows from it for our own targets.
include_guard(GLOBAL)

# The backends, in the words of the mini-app's --backend.
set(ADO_KOKKOS_BACKENDS "")
foreach(ado_backend IN ITEMS CUDA HIP SYCL OPENMP THREADS SERIAL)
  if(Kokkos_ENABLE_${ado_backend})
    string(TOLOWER ${ado_backend} ado_backend)
    list(APPEND ADO_KOKKOS_BACKENDS ${ado_backend})
  endif()
endforeach()

if(ADO_CUDA STREQUAL on AND NOT cuda IN_LIST ADO_KOKKOS_BACKENDS)
  message(FATAL_ERROR "ADO_CUDA=on, but Kokkos ${Kokkos_VERSION} (${Kokkos_DIR}) has only the backends "
    "${ADO_KOKKOS_BACKENDS}. Name one with CUDA: -DKokkos_ROOT=DIR")
endif()

# A Kokkos with CUDA is used in one of two ways: as CMake's CUDA language, or through its nvcc_wrapper
# as the C++ compiler, where the sources stay C++.
set(ADO_KOKKOS_IS_CUDA_LANGUAGE FALSE)
if(cuda IN_LIST ADO_KOKKOS_BACKENDS AND Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
  set(ADO_KOKKOS_IS_CUDA_LANGUAGE TRUE)
  if(NOT ADO_HAVE_CUDA)
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} (${Kokkos_DIR}) has the CUDA backend, but ${ADO_NO_CUDA_BECAUSE}")
  endif()
endif()
# Kokkos' own files need it, and those that include its headers.
if(cuda IN_LIST ADO_KOKKOS_BACKENDS AND Kokkos_VERSION VERSION_LESS 4.7.01 AND NOT ADO_KOKKOS_ORIGIN STREQUAL parent)
  set(ado_language CXX)
  if(ADO_KOKKOS_IS_CUDA_LANGUAGE)
    set(ado_language CUDA)
  endif()
  set(ado_target Kokkos::kokkos INTERFACE)
  if(ADO_KOKKOS_ORIGIN STREQUAL release)
    set(ado_target kokkoscore PUBLIC)
  endif()
  target_compile_options(${ado_target} "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:${ado_language}>:SHELL:-include \
${CMAKE_CURRENT_LIST_DIR}/cuda13_for_older_kokkos.h>>")
endif()
# The hand-written kernels follow Kokkos, for twins compiled for different GPUs do not compare.
if(cuda IN_LIST ADO_KOKKOS_BACKENDS)
  if(NOT ADO_CUDA_ARCHITECTURES_GIVEN AND Kokkos_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})
  elseif(NOT ADO_CUDA_ARCHITECTURES_GIVEN AND NOT ADO_HAVE_GPU)
    message(FATAL_ERROR "Which GPU to compile for? There is none here to ask, and Kokkos ${Kokkos_VERSION} "
      "(${Kokkos_DIR}) does not say. Name its architecture, for example -DCMAKE_CUDA_ARCHITECTURES=90")
  elseif(ADO_CUDA_ARCHITECTURES_GIVEN AND Kokkos_CUDA_ARCHITECTURES
         AND NOT CMAKE_CUDA_ARCHITECTURES MATCHES "^(native|${Kokkos_CUDA_ARCHITECTURES}(-real)?)$")
    message(WARNING "CMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}, but Kokkos ${Kokkos_VERSION} is built "
      "for ${Kokkos_CUDA_ARCHITECTURES}: the hand-written kernels and Kokkos' do not compare")
  endif()
endif()
if(ADO_HAVE_CUDA)
  set(ado_by "")
  if(ADO_KOKKOS_IS_CUDA_LANGUAGE)
    set(ado_by ", Kokkos by ${CMAKE_CUDA_COMPILER}")
  elseif(cuda IN_LIST ADO_KOKKOS_BACKENDS)
    set(ado_by ", Kokkos by ${CMAKE_CXX_COMPILER}")
  endif()
  ado_say(CUDA "${CUDAToolkit_VERSION}, for GPUs of architecture ${CMAKE_CUDA_ARCHITECTURES}${ado_by}")
endif()

# ado_kokkos_sources(target [source...]): these sources of the target (default: all its .cpp files) use
# Kokkos. Call it in the target's own CMakeLists.txt.
function(ado_kokkos_sources target)
  target_link_libraries(${target} PRIVATE Kokkos::kokkos)
  if(NOT ADO_KOKKOS_IS_CUDA_LANGUAGE)
    return()
  endif()
  set(sources ${ARGN})
  if(NOT sources)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
  endif()
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CUDA)
  if(Kokkos_CUDA_ARCHITECTURES)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${Kokkos_CUDA_ARCHITECTURES}")
  endif()
endfunction()
