# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cuBLASMp, optional: a yardstick for transposes on many GPUs. Never required and never installed by ado. Looked for in
# the system, in the CUDA toolkit, and in the wheel nvidia-cublasmp-cu12 or -cu13 of the python3 in the path. It sends by
# NCCL. Sets ADO_HAVE_CUBLASMP; the target is ado_cublasmp.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Nccl.cmake)

ado_peer_option(ADO_CUBLASMP cuBLASMp)

ado_wheel_folder(nvidia.cublasmp ado_cublasmp_wheel)
set(ado_cublasmp_hints "${ado_cublasmp_wheel}/cu${CUDAToolkit_VERSION_MAJOR}")
find_path(ADO_CUBLASMP_INCLUDE_DIR cublasmp.h HINTS ${CUDAToolkit_INCLUDE_DIRS} "${ado_cublasmp_hints}/include")
find_library(ADO_CUBLASMP_LIBRARY NAMES cublasmp libcublasmp.so.0
  HINTS ${CUDAToolkit_LIBRARY_DIR} "${ado_cublasmp_hints}/lib")

set(ADO_HAVE_CUBLASMP FALSE)
set(ado_cublasmp_missing "")
if(ADO_CUBLASMP STREQUAL off)
  set(ado_cublasmp_missing "ADO_CUBLASMP=off")
elseif(NOT ADO_HAVE_NCCL)
  set(ado_cublasmp_missing "no NCCL")
elseif(NOT ADO_CUBLASMP_INCLUDE_DIR OR NOT ADO_CUBLASMP_LIBRARY)
  string(CONCAT ado_cublasmp_missing "not installed (python3 -m pip install nvidia-cublasmp-cu13; elsewhere: "
    "-DADO_CUBLASMP_INCLUDE_DIR=DIR -DADO_CUBLASMP_LIBRARY=FILE)")
else()
  set(ADO_HAVE_CUBLASMP TRUE)
  ado_version_in("${ADO_CUBLASMP_INCLUDE_DIR}/cublasmp.h" CUBLASMP_VER ado_cublasmp_version)
  add_library(ado_cublasmp INTERFACE)
  target_include_directories(ado_cublasmp SYSTEM INTERFACE "${ADO_CUBLASMP_INCLUDE_DIR}")
  # What the library itself needs may lie in other wheels, which the loader finds by LD_LIBRARY_PATH.
  target_link_libraries(ado_cublasmp INTERFACE "${ADO_CUBLASMP_LIBRARY}" ado_nccl)
  target_link_options(ado_cublasmp INTERFACE -Wl,--allow-shlib-undefined)
  ado_say(cuBLASMp "${ado_cublasmp_version}: ${ADO_CUBLASMP_LIBRARY}")
  ado_used(cuBLASMp VERSION "${ado_cublasmp_version}" LICENSE LicenseRef-NVIDIA-SLA
    WHERE "installed on the machine that ado was built on")
endif()
ado_say_missing(ADO_CUBLASMP cuBLASMp "cuBLASMp's transpose" "${ado_cublasmp_missing}")
