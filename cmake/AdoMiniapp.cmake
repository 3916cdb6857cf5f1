# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A mini-app of a project's own kernels. Part of ado's build, and of what find_package(ado COMPONENTS bench) brings.
include_guard(GLOBAL)

# ado_cards(target ROOT folder FILES file...): the program of `target` explains each variant with the comment that
# its file opens with.
function(ado_cards target)
  cmake_parse_arguments(arg "" "ROOT" "FILES" ${ARGN})
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/Cards.cmake)
  list(JOIN arg_FILES ":" joined)
  set(cards ${CMAKE_CURRENT_BINARY_DIR}/${target}_cards.cpp)
  add_custom_command(OUTPUT ${cards} VERBATIM DEPENDS ${script} ${arg_FILES}
    COMMAND ${CMAKE_COMMAND} -DROOT=${arg_ROOT} -DFILES=${joined} -DOUTPUT=${cards} -P ${script})
  target_sources(${target} PRIVATE ${cards})
endfunction()

# ado_align_code(target): functions and loops of its host code begin at a multiple of 64 bytes, so that a linker that
# puts them elsewhere changes their times less (docs/numbers.md, "Another process, another time").
function(ado_align_code target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang|IntelLLVM" AND NOT CMAKE_CXX_FLAGS MATCHES "-falign-")
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-falign-functions=64;-falign-loops=64>"
      "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-falign-functions=64;-Xcompiler=-falign-loops=64>")
  endif()
endfunction()

# ado_add_places(target): the target <target>_places, which --processes makes use of: programs of the same objects, with
# the code at seven other places, in the folder <program>_places.
function(ado_add_places target)
  add_custom_target(${target}_places)
  foreach(place RANGE 1 7)
    # A random multiple of 16 bytes up to 16 KiB, the same in each build.
    string(RANDOM LENGTH 3 ALPHABET 0123456789 RANDOM_SEED ${place} sixteens)
    math(EXPR bytes "(1${sixteens} - 999) * 16")
    set(pad ${CMAKE_CURRENT_BINARY_DIR}/${target}_place_${place}.cpp)
    file(CONFIGURE OUTPUT ${pad} CONTENT "__asm__(\".text\\n.p2align 4\\n.skip ${bytes}\\n\");\n")
    set(program ${target}_place_${place})
    add_executable(${program} EXCLUDE_FROM_ALL ${pad} $<TARGET_OBJECTS:${target}>)
    target_link_libraries(${program} PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
    set_target_properties(${program} PROPERTIES OUTPUT_NAME ${place}
      RUNTIME_OUTPUT_DIRECTORY $<TARGET_FILE:${target}>_places)
    add_dependencies(${program} ${target}) # so that none is older than the program
    add_dependencies(${target}_places ${program})
  endforeach()
endfunction()

# ado_record_build(target main): records of the program with this main() say how `target`, its kernels, is compiled: by
# which compiler and with which flags but for warnings.
function(ado_record_build target main)
  set(flags "${CMAKE_CXX_FLAGS}")
  set(configs ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE})
  list(REMOVE_DUPLICATES configs)
  foreach(config IN LISTS configs)
    string(TOUPPER "${config}" type)
    list(APPEND flags "$<$<CONFIG:${config}>:${CMAKE_CXX_FLAGS_${type}}>")
  endforeach()
  string(REPLACE "\"" "\\\"" flags "${flags}")
  string(REPLACE "," "$<COMMA>" flags "${flags}")
  list(APPEND flags "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,EXCLUDE,^(-W|-fopenmp|-Xcompiler$|-Xcompiler=-W|--diag|SHELL:)|\">")
  set_property(SOURCE ${main} APPEND PROPERTY COMPILE_DEFINITIONS
    "ADO_KERNEL_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\""
    "ADO_KERNEL_FLAGS=\"$<JOIN:$<FILTER:${flags},INCLUDE,.>, >\"")
endfunction()

# ado_add_miniapp(name SOURCES file...): a program that runs what its sources register: algorithms, and variants
# in Kokkos, OpenMP, CUDA or plain C++. Files ending in .cpp may use Kokkos. Files ending in .cu are hand-written
# CUDA; they are left out, with a message, where Kokkos has no CUDA. main() is there already.
function(ado_add_miniapp name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ado_add_miniapp(${ARGV}): write ado_add_miniapp(NAME SOURCES FILE...)")
  endif()
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE) # times of other code say nothing
  endif()
  set(cuda_sources ${arg_SOURCES})
  list(FILTER cuda_sources INCLUDE REGEX "\\.cu$")
  list(FILTER arg_SOURCES EXCLUDE REGEX "\\.cu$")
  if(Kokkos_ENABLE_CUDA)
    if(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
      set_source_files_properties(${arg_SOURCES} PROPERTIES LANGUAGE CUDA)
    endif()
  elseif(cuda_sources)
    message(STATUS "${name}: without ${cuda_sources}, for this Kokkos has no CUDA")
    set(cuda_sources "")
  endif()
  set(main_source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/main.cpp) # as installed
  if(NOT EXISTS ${main_source})
    set(main_source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../miniapp/main.cpp)
  endif()
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${name}_main.cpp)
  configure_file(${main_source} ${main} COPYONLY)
  add_executable(${name} ${main} ${arg_SOURCES} ${cuda_sources})
  ado_align_code(${name})
  ado_add_places(${name})
  ado_record_build(${name} ${main})
  target_link_libraries(${name} PRIVATE ado::bench)
  target_compile_features(${name} PRIVATE cxx_std_20)
  if(Kokkos_ENABLE_CUDA AND Kokkos_CUDA_ARCHITECTURES)
    set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "${Kokkos_CUDA_ARCHITECTURES}")
  endif()
  set(files "")
  foreach(file IN LISTS arg_SOURCES cuda_sources)
    set(path ${file})
    cmake_path(ABSOLUTE_PATH path NORMALIZE)
    if(NOT EXISTS ${path}) # generated; CMake looks for it in the build folder
      set(path ${file})
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
    endif()
    list(APPEND files ${path})
  endforeach()
  ado_cards(${name} ROOT ${CMAKE_CURRENT_SOURCE_DIR} FILES ${files})
endfunction()
