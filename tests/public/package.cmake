# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ado in other projects: installed and found, or as a subdirectory.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
set(ado_project_options
  -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
  -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
  -DCMAKE_BUILD_TYPE=Debug
  -DADO_CUDA=${ADO_CUDA})
# An installed ado finds the Kokkos that it was built with. As a subdirectory it must be told.
set(ado_same_kokkos -DKokkos_DIR=${Kokkos_DIR})
if(ADO_KOKKOS_ORIGIN STREQUAL release)
  set(ado_same_kokkos -DKokkos_ROOT=${prefix})
endif()

# ado_project_test(name folder program [GENERATOR name] [OPTIONS option...] [ARGUMENTS
# argument...]): configures and builds a project and runs its program.
function(ado_project_test name folder program)
  cmake_parse_arguments(arg "" "GENERATOR" "OPTIONS;ARGUMENTS" ${ARGN})
  if(NOT arg_GENERATOR)
    set(arg_GENERATOR ${CMAKE_GENERATOR})
  endif()
  set(build ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_test(NAME ${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${folder} ${build}
            --build-generator ${arg_GENERATOR} --build-config Debug
            --build-options ${ado_project_options} ${arg_OPTIONS}
            --test-command ${build}/${program} ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED installed)
endfunction()

add_test(NAME empty_prefix COMMAND ${CMAKE_COMMAND} -E rm -rf ${prefix})
add_test(NAME install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --config $<CONFIG> --prefix ${prefix})
set_tests_properties(empty_prefix install PROPERTIES FIXTURES_SETUP installed)
set_tests_properties(install PROPERTIES DEPENDS empty_prefix)

if(ADO_KOKKOS_IS_CUDA_LANGUAGE)
  ado_say(skipped "tests of the installed library: their projects are C++, and this Kokkos wants CUDA")
else()
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  ado_project_test(installed_library ${here}/consumer consumer)
  ado_project_test(library_as_subdirectory ${here}/consumer consumer OPTIONS -DADO_SOURCE=${PROJECT_SOURCE_DIR} ${ado_same_kokkos})
  ado_project_test(installed_headers ${here}/headers/installed headers)
  if(ADO_HAVE_MPI)
    ado_project_test(installed_distributed ${PROJECT_SOURCE_DIR}/tests/distributed/consumer turned
      OPTIONS -DMPI_CXX_COMPILER=${MPI_CXX_COMPILER})
    # As in tests/distributed.
    set_tests_properties(installed_distributed PROPERTIES ENVIRONMENT LSAN_OPTIONS=detect_leaks=0)
  endif()
endif()
# The examples, as a reader builds them.
if(TARGET ado_bench)
  set(examples ${PROJECT_SOURCE_DIR}/examples)
  set(small --elements 1001 --reps 3 --json ${CMAKE_CURRENT_BINARY_DIR})
  ado_project_test(example_first_look ${examples}/first_look first_look ARGUMENTS ${small}/example_first_look.json)
  ado_project_test(example_multi_config ${examples}/first_look Debug/first_look GENERATOR "Ninja Multi-Config"
    OPTIONS -DCMAKE_BUILD_TYPE= ARGUMENTS ${small}/example_multi_config.json)
  # Debug builds, whatever the installed ado is.
  foreach(example IN ITEMS example_first_look example_multi_config)
    add_test(NAME ${example}_record COMMAND ${CMAKE_COMMAND} -E cat ${CMAKE_CURRENT_BINARY_DIR}/${example}.json)
    set_tests_properties(${example} PROPERTIES FIXTURES_SETUP ${example})
    set_tests_properties(${example}_record PROPERTIES FIXTURES_REQUIRED ${example}
      PASS_REGULAR_EXPRESSION "\"library_build_type\": \"debug\".*\"compiler_flags\": \"([^\"]* )?-g[ \"]")
  endforeach()
  ado_project_test(example_stencil ${examples}/stencil stencil
    ARGUMENTS --type f32,f64 --planes 70 --rows 19 --cols 67 --reps 3)
  add_test(NAME example_stencil_rows_apart COMMAND ${CMAKE_CURRENT_BINARY_DIR}/example_stencil/stencil --type f32,f64
    --model kokkos --variant packs --planes 5 --rows 19 --cols 67 --row-padding 1,5 --reps 1)
  add_test(NAME example_stencil_help COMMAND ${CMAKE_CURRENT_BINARY_DIR}/example_stencil/stencil --help)
  set_tests_properties(example_stencil_help PROPERTIES PASS_REGULAR_EXPRESSION "run --algorithm stencil --variant plain,tuned")
  ado_project_test(example_batched_gemm ${examples}/batched_gemm batched_gemm
    ARGUMENTS --type f32,f64 --batch 33 --order 7 --reps 3)
  ado_project_test(example_spmv ${examples}/spmv spmv
    ARGUMENTS --type f32,f64 --rows 1009 --nonzeros 27001 --longest 71 --reps 3)
  ado_project_test(example_three_problems ${examples}/three_problems three_problems
    ARGUMENTS --algorithm all --type i32,i64,f32,f64 --elements 10007 --rows 67 --cols 35 --steps 7 --reps 3)
  ado_project_test(example_gallery ${examples}/gallery gallery ARGUMENTS --algorithm all --elements 10007 --rows 67
    --cols 35 --planes 7 --steps 7 --bodies 301 --batch 33 --nonzeros 9001 --reps 3)
  ado_project_test(example_launches ${examples}/launches launches
    ARGUMENTS --sweep kernels=1,7 --elements 10007 --reps 3)
  ado_project_test(example_compare ${examples}/compare tiles ARGUMENTS --rows 67 --cols 35 --reps 3)
  set_tests_properties(example_compare PROPERTIES PASS_REGULAR_EXPRESSION "second .* kokkos/first .*3 of 3 results verified.*two variants in Kokkos")
  # The same program with its code at other places.
  set(tiles ${CMAKE_CURRENT_BINARY_DIR}/example_compare)
  add_test(NAME example_places COMMAND ${CMAKE_COMMAND} --build ${tiles} --target tiles_places)
  add_test(NAME example_processes COMMAND ${tiles}/tiles --rows 67 --cols 35 --reps 3 --processes 8)
  set_tests_properties(example_compare PROPERTIES FIXTURES_SETUP tiles)
  set_tests_properties(example_places PROPERTIES FIXTURES_REQUIRED tiles FIXTURES_SETUP places)
  set_tests_properties(example_processes PROPERTIES FIXTURES_REQUIRED "tiles;places"
    PASS_REGULAR_EXPRESSION "8 processes, of programs linked at 8 places")
  foreach(example IN ITEMS first_look stencil batched_gemm spmv three_problems launches gallery)
    set_property(TEST example_${example} APPEND PROPERTY FIXTURES_SETUP ${example})
    add_test(NAME example_${example}_selftest
      COMMAND ${CMAKE_CURRENT_BINARY_DIR}/example_${example}/${example} --selftest)
    set_tests_properties(example_${example}_selftest PROPERTIES FIXTURES_REQUIRED ${example})
  endforeach()
  set_tests_properties(example_stencil_rows_apart example_stencil_help PROPERTIES FIXTURES_REQUIRED stencil)
  # A Kokkos that is part of the project: that which ado was built with, and another.
  string(REGEX MATCHALL "[0-9]+" numbers "${Kokkos_VERSION}")
  list(GET numbers 0 major)
  list(GET numbers 1 minor)
  list(GET numbers 2 patch)
  math(EXPR number "${major} * 10000 + ${minor} * 100 + ${patch}")
  foreach(kokkos IN ITEMS this another)
    set(version ${number})
    set(expected "ado_FOUND is 1")
    if(kokkos STREQUAL another)
      math(EXPR version "${number} + 1")
      set(expected "ado_FOUND is 0: its component bench was built with Kokkos ${Kokkos_VERSION}.*added by your project in")
    endif()
    string(REPLACE ";" "\\;" devices "${Kokkos_DEVICES}")
    set(build ${CMAKE_CURRENT_BINARY_DIR}/kokkos_inside_${kokkos})
    add_test(NAME kokkos_inside_${kokkos} COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_SOURCE_DIR}/kokkos_inside -B ${build}
      -G ${CMAKE_GENERATOR} ${ado_project_options} -DVERSION=${version} -DDEVICES=${devices})
    set_tests_properties(kokkos_inside_${kokkos} PROPERTIES FIXTURES_REQUIRED installed PASS_REGULAR_EXPRESSION ${expected})
  endforeach()
  # With the instrument as a part of the project. Nightly, because it is built once more.
  ado_project_test(bench_as_subdirectory ${CMAKE_CURRENT_SOURCE_DIR}/subproject subproject
    OPTIONS -DADO_SOURCE=${PROJECT_SOURCE_DIR} -DCMAKE_CXX_FLAGS=-Wconversion\ -Werror ${ado_same_kokkos} ARGUMENTS ${small}/bench_as_subdirectory.json)
  set_tests_properties(bench_as_subdirectory PROPERTIES LABELS nightly)
  # Where sources may lie. It explains a variant with the comment of a generated file.
  ado_project_test(miniapp_sources ${CMAKE_CURRENT_SOURCE_DIR}/sources sources ARGUMENTS explain backwards)
  set_tests_properties(miniapp_sources PROPERTIES PASS_REGULAR_EXPRESSION "Walks through the arrays from their ends")
endif()
if(TARGET miniapp AND CMAKE_GENERATOR STREQUAL Ninja AND Python3_FOUND)
  add_test(NAME installed_sbom COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/project/sbom.py
    ${PROJECT_BINARY_DIR} ${prefix}/share/ado/ado.spdx.json)
  set_tests_properties(installed_sbom PROPERTIES FIXTURES_REQUIRED installed RESOURCE_LOCK build)
endif()
if(TARGET miniapp)
  add_test(NAME installed_miniapp COMMAND ${prefix}/bin/miniapp --version)
  set_tests_properties(installed_miniapp PROPERTIES
    FIXTURES_REQUIRED installed PASS_REGULAR_EXPRESSION "ado ${PROJECT_VERSION}")
endif()

# All of ado with -ffast-math: a build of its own, so nightly.
if(TARGET miniapp AND NOT ADO_KOKKOS_IS_CUDA_LANGUAGE)
  add_test(NAME fast_math_miniapp
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/fast_math
            --build-generator ${CMAKE_GENERATOR} --build-target miniapp
            --build-options ${ado_project_options} ${ado_same_kokkos} -DCMAKE_BUILD_TYPE=Release -DADO_TESTS=OFF
            "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS} -ffast-math"
            --test-command ${CMAKE_CURRENT_BINARY_DIR}/fast_math/bin/miniapp --selftest)
  set_tests_properties(fast_math_miniapp PROPERTIES LABELS nightly FIXTURES_REQUIRED installed)
endif()

# The version is written in three places.
add_test(NAME version WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMAND ${CMAKE_COMMAND} -E cat CITATION.cff packaging/conda/recipe.yaml)
set_tests_properties(version PROPERTIES
  PASS_REGULAR_EXPRESSION "\nversion: ${PROJECT_VERSION}\n.*\n  version: ${PROJECT_VERSION}\n")
