# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A prebuilt Kokkos (OpenMP) and Kokkos Kernels for machines that reach a Python package index but no
# release server: the wheel of the Python package pygenten carries both, headers and CMake files
# included. One file, pinned by its hash and unpacked, serves every Python; nothing of Python is used.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Fetch.cmake)

set(ado_wheel pygenten==0.1.5)
set(ado_wheel_sha256 01bb48a183b6f54c7691acef80fd04c190641311c7c7a55f63c1c6a9897173de)
set(ADO_WHEEL_DIR "${ADO_DEPS_DIR}/pygenten-0.1.5")
set(ADO_WHEEL_KOKKOS_DIR "${ADO_WHEEL_DIR}/pygenten/lib64/cmake/Kokkos")

# The wheel's file comes through pip, so that the user's index, proxy and certificates hold. With -I a pip.py
# in the current folder is not run.
function(ado_download_wheel folder problem)
  set(python "")
  foreach(candidate IN ITEMS ${Python_EXECUTABLE} python3 /usr/bin/python3) # the first: who builds a Python package
    execute_process(COMMAND ${candidate} -I -m pip --version RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(python ${candidate})
      break()
    endif()
  endforeach()
  if(NOT python)
    set(${problem} "no Python 3 with pip (Debian and Ubuntu: apt-get install python3-pip)" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Kokkos: downloading the prebuilt one (${ado_wheel}, 26 MB)")
  file(WRITE "${folder}/requirements.txt" "${ado_wheel} --hash=sha256:${ado_wheel_sha256}\n")
  execute_process(
    COMMAND ${python} -I -m pip download --quiet --no-input --disable-pip-version-check --no-deps
      --only-binary=:all: --implementation cp --python-version 311 --abi cp311
      --platform manylinux_2_28_x86_64 --require-hashes --requirement requirements.txt --dest .
    WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_QUIET)
  set(${problem} "" PARENT_SCOPE)
  if(NOT status EQUAL 0)
    string(STRIP "${errors}" errors)
    string(REGEX REPLACE "\n.*\n" "\n" errors "${errors}") # the first line has the cause, the last one the end
    set(${problem} "pip could not download it: ${errors}" PARENT_SCOPE)
  endif()
endfunction()

# Unpacks what is ours to use. Its GoogleTest and JSON library stay packed: they would take over.
function(ado_unpack_wheel folder)
  file(GLOB wheel "${folder}/*.whl")
  file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${folder}" PATTERNS
    "pygenten/include/kokkos/*" "pygenten/include/kokkos-kernels/*"
    "pygenten/lib64/libkokkos*" "pygenten/lib64/cmake/Kokkos*" "pygenten-*.dist-info/licenses/*"
    "pygenten.libs/libgomp*" "pygenten.libs/libopenblas*" "pygenten.libs/libgfortran*"
    "pygenten.libs/libquadmath*")
  file(REMOVE "${wheel}")

  # The wheel brings its own libgomp beside the one that the compiler links. With two OpenMP runtimes
  # in a process, the second one is bound to the single core that the first one bound the main thread
  # to (OMP_PROC_BIND=spread), and everything runs on one thread. So there is the compiler's only.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.so.1
    OUTPUT_VARIABLE libgomp OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(REAL_PATH "${libgomp}" libgomp)
  file(GLOB vendored "${folder}/pygenten.libs/libgomp*")
  file(REMOVE "${vendored}")
  file(CREATE_LINK "${libgomp}" "${vendored}" SYMBOLIC)

  # It also names the BLAS of the machine it was built on; the one that it carries takes its place.
  file(GLOB blas "${folder}/pygenten.libs/libopenblas*")
  cmake_path(GET blas FILENAME blas)
  set(targets "${folder}/pygenten/lib64/cmake/KokkosKernels/KokkosKernelsTargets.cmake")
  file(READ "${targets}" text)
  string(REPLACE "/usr/lib64/libopenblas.so" "\${_IMPORT_PREFIX}/../pygenten.libs/${blas}" text "${text}")
  file(WRITE "${targets}" "${text}")
endfunction()

# Makes ADO_WHEEL_DIR; problem is empty, or says why there is none.
function(ado_get_wheel problem)
  set(${problem} "" PARENT_SCOPE)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    set(${problem} "there is none for ${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}" PARENT_SCOPE)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # There would be two OpenMP runtimes in the process; see above.
    set(${problem} "it runs on GCC's OpenMP runtime, and ${CMAKE_CXX_COMPILER_ID} brings its own" PARENT_SCOPE)
    return()
  endif()
  file(LOCK "${ADO_DEPS_DIR}" DIRECTORY GUARD FUNCTION) # two presets may configure at once
  if(EXISTS "${ADO_WHEEL_DIR}")
    return()
  endif()
  # Made complete beside its place and then moved there: an interrupted run leaves nothing half-done.
  set(folder "${ADO_WHEEL_DIR}.new")
  file(REMOVE_RECURSE "${folder}")
  ado_download_wheel("${folder}" trouble)
  if(trouble)
    file(REMOVE_RECURSE "${folder}")
    set(${problem} "${trouble}" PARENT_SCOPE)
    return()
  endif()
  ado_unpack_wheel("${folder}")
  file(RENAME "${folder}" "${ADO_WHEEL_DIR}")
endfunction()

macro(ado_kokkos_from_wheel)
  if(ADO_CUDA STREQUAL on)
    set(ado_wheel_problem "it has no CUDA backend, which -DADO_CUDA=on asks for")
  else()
    ado_get_wheel(ado_wheel_problem)
  endif()
  if(ado_wheel_problem)
    ado_refuse_kokkos(wheel "${ado_wheel_problem}")
  else()
    # CMAKE_PREFIX_PATH would offer other packages of the wheel as well, and CMake would not look in lib64.
    set(Kokkos_DIR "${ADO_WHEEL_KOKKOS_DIR}" CACHE PATH "" FORCE)
    find_package(Kokkos CONFIG REQUIRED QUIET)
    set(ADO_KOKKOS_ORIGIN wheel)
    set(ado_kokkos_where "prebuilt, from the wheel ${ado_wheel} (${ADO_WHEEL_DIR})")
    ado_used(Kokkos VERSION "${Kokkos_VERSION}" LICENSE "Apache-2.0 WITH LLVM-exception"
      WHERE "prebuilt, from the wheel ${ado_wheel}")
    # The hash is of the wheel as it was downloaded.
    string(REPLACE "==" "@" ado_wheel_purl "pkg:pypi/${ado_wheel}")
    ado_used(pygenten VERSION 0.1.5 LICENSE NOASSERTION SHA256 ${ado_wheel_sha256} PURL ${ado_wheel_purl}
      WHERE "the Python wheel that carries Kokkos and Kokkos Kernels, OpenBLAS and the Fortran libraries of GCC, and is used for nothing else")
  endif()
endmacro()
