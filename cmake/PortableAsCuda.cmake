# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ado_portable_as_cuda(SOURCES file... [INCLUDES folder...] [DEFINITIONS name=value...]): a target
# portable_as_cuda that compiles the portable sources with nvcc for a GPU, compile only. So a machine
# without a GPU and without a CUDA Kokkos notices a change that breaks the GPU build.
#
# A Kokkos installed for the CPU brings the headers of its CUDA backend too; its configuration headers
# switch it off. Copies that switch it on go in front of them.
include_guard(GLOBAL)

set(ado_cuda_switches KOKKOS_ENABLE_CUDA KOKKOS_ENABLE_CUDA_LAMBDA KOKKOS_ENABLE_CUDA_CONSTEXPR
  KOKKOS_ARCH_HOPPER KOKKOS_ARCH_HOPPER90 DESUL_ATOMICS_ENABLE_CUDA)

# The folder of the chosen Kokkos' headers, empty where they do not hold the CUDA backend.
function(ado_kokkos_include_folder result)
  set(${result} "" PARENT_SCOPE)
  get_target_property(folders Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/KokkosCore_config.h" AND EXISTS "${folder}/Cuda/Kokkos_Cuda.hpp")
      set(${result} "${folder}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(ado_write_cuda_configuration kokkos folder)
  foreach(header IN ITEMS KokkosCore_config.h desul/atomics/Config.hpp)
    file(READ "${kokkos}/${header}" text)
    foreach(switch IN LISTS ado_cuda_switches)
      string(REPLACE "/* #undef ${switch} */" "#define ${switch}" text "${text}")
    endforeach()
    file(CONFIGURE OUTPUT "${folder}/${header}" CONTENT "${text}" @ONLY)
  endforeach()
  # These three include what each backend brings, those of a host first.
  set(parts Declare Fwd Setup)
  set(headers decl/Kokkos_Declare_CUDA.hpp fwd/Kokkos_Fwd_CUDA.hpp setup/Kokkos_Setup_Cuda.hpp)
  foreach(part header IN ZIP_LISTS parts headers)
    set(list KokkosCore_Config_${part}Backend.hpp)
    file(READ "${kokkos}/${list}" text)
    string(REGEX REPLACE "(#endif[^\n]*\n*)$" "#include <${header}>\n\\1" text "${text}")
    file(CONFIGURE OUTPUT "${folder}/${list}" CONTENT "${text}" @ONLY)
  endforeach()
endfunction()

function(ado_portable_as_cuda)
  cmake_parse_arguments(arg "" "" "SOURCES;INCLUDES;DEFINITIONS" ${ARGN})
  if(NOT ADO_HAVE_CUDA)
    ado_say(skipped "portable_as_cuda: ${ADO_NO_CUDA_BECAUSE}")
    return()
  endif()
  if(cuda IN_LIST ADO_KOKKOS_BACKENDS)
    return() # the library itself is compiled for the GPU
  endif()
  ado_kokkos_include_folder(kokkos)
  if(NOT kokkos)
    ado_say(skipped "portable_as_cuda: this Kokkos has no headers of the CUDA backend")
    return()
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/portable_as_cuda")
  ado_write_cuda_configuration("${kokkos}" "${folder}/kokkos")

  set(wrappers "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
    # The .cpp files keep their language, for the CPU build compiles them too.
    file(CONFIGURE OUTPUT "${folder}/${name}.cu" CONTENT "#include \"${source}\"\n" @ONLY)
    list(APPEND wrappers "${folder}/${name}.cu")
  endforeach()

  add_library(portable_as_cuda OBJECT EXCLUDE_FROM_ALL ${wrappers})
  # The part for the GPU alone, in a third of the time: the part for the host is the CPU build.
  if(CMAKE_VERSION VERSION_LESS 3.27)
    set_target_properties(portable_as_cuda PROPERTIES CUDA_ARCHITECTURES 90-virtual CUDA_PTX_COMPILATION ON)
  else()
    set_target_properties(portable_as_cuda PROPERTIES CUDA_ARCHITECTURES 90-real CUDA_CUBIN_COMPILATION ON)
  endif()
  target_include_directories(portable_as_cuda PRIVATE "${folder}/kokkos" ${arg_INCLUDES})
  target_include_directories(portable_as_cuda SYSTEM PRIVATE "${kokkos}")
  target_compile_definitions(portable_as_cuda PRIVATE ${arg_DEFINITIONS})
  # A call of a host function in a kernel is but a warning of nvcc, and a wrong program.
  target_compile_options(portable_as_cuda PRIVATE --extended-lambda --Werror=cross-execution-space-call
    -Xcompiler=-fopenmp "-include=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cuda13_for_older_kokkos.h")
  ado_compile_options(portable_as_cuda)
  list(LENGTH wrappers count)
  ado_say(built "portable_as_cuda: ${count} portable files compiled for a GPU (a target, not part of all)")
endfunction()
