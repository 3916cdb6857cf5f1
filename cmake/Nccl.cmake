# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# NCCL, optional: a yardstick for transposes on many GPUs. Never required and never installed by ado. Looked for in the
# system, in the CUDA toolkit, and in the wheel nvidia-nccl-cu12 or -cu13 of the python3 in the path, which has no
# libnccl.so. Sets ADO_HAVE_NCCL; the target is ado_nccl.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Mpi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Peers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake)

ado_peer_option(ADO_NCCL NCCL)

find_program(ADO_PYTHON3 python3)
# Sets `variable` to the folder of a Python package; empty where python3 has none.
function(ado_wheel_folder package variable)
  set(folder "")
  if(ADO_PYTHON3)
    execute_process(
      COMMAND ${ADO_PYTHON3} -c "import sys; del sys.path[0]; import importlib.util as u; print(*u.find_spec('${package}').submodule_search_locations)"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(${variable} "${folder}" PARENT_SCOPE)
endfunction()
# Sets `variable` to "1.2.3", where `header` defines ${prefix}_MAJOR, _MINOR and _PATCH.
function(ado_version_in header prefix variable)
  set(version "")
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS "${header}" line REGEX "#define ${prefix}_${part} ")
    string(REGEX MATCH "[0-9]+" number "${line}")
    string(JOIN . version ${version} ${number})
  endforeach()
  set(${variable} "${version}" PARENT_SCOPE)
endfunction()

ado_wheel_folder(nvidia.nccl ado_nccl_wheel)
find_path(ADO_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} "${ado_nccl_wheel}/include")
find_library(ADO_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${CUDAToolkit_LIBRARY_DIR} "${ado_nccl_wheel}/lib")

set(ADO_HAVE_NCCL FALSE)
set(ado_nccl_missing "")
if(ADO_NCCL STREQUAL off)
  set(ado_nccl_missing "ADO_NCCL=off")
elseif(NOT ADO_HAVE_MPI)
  set(ado_nccl_missing "no MPI")
elseif(NOT ADO_NCCL_INCLUDE_DIR OR NOT ADO_NCCL_LIBRARY)
  string(CONCAT ado_nccl_missing "not installed (python3 -m pip install nvidia-nccl-cu13, or NVIDIA's libnccl-dev; "
    "elsewhere: -DADO_NCCL_INCLUDE_DIR=DIR -DADO_NCCL_LIBRARY=FILE)")
else()
  set(ADO_HAVE_NCCL TRUE)
  ado_version_in("${ADO_NCCL_INCLUDE_DIR}/nccl.h" NCCL ado_nccl_version)
  add_library(ado_nccl INTERFACE)
  target_include_directories(ado_nccl SYSTEM INTERFACE "${ADO_NCCL_INCLUDE_DIR}")
  target_link_libraries(ado_nccl INTERFACE "${ADO_NCCL_LIBRARY}")
  ado_say(NCCL "${ado_nccl_version}: ${ADO_NCCL_LIBRARY}")
  ado_used(NCCL VERSION "${ado_nccl_version}" LICENSE BSD-3-Clause
    WHERE "installed on the machine that ado was built on")
endif()
ado_say_missing(ADO_NCCL NCCL "NCCL's all-to-all" "${ado_nccl_missing}")
