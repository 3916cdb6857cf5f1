# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The way from an installed ado to the Kokkos that it was built with. Sets ADO_KOKKOS_HINT, where
# ado-config.cmake looks for it, and ADO_KOKKOS_RPATH, where the mini-app does. A Kokkos that was built here is
# installed by its own rules. The wheel's is installed here, so that nothing is left to need the build folder; in
# a folder of its own, so that it does not meet a Kokkos that comes later.
include_guard(GLOBAL)

set(ADO_KOKKOS_HINT "\${PACKAGE_PREFIX_DIR}")
set(ADO_KOKKOS_RPATH "")
if(ADO_KOKKOS_ORIGIN STREQUAL installed)
  set(ADO_KOKKOS_HINT "${Kokkos_DIR}")
endif()
if(NOT ADO_KOKKOS_ORIGIN STREQUAL wheel)
  return()
endif()

# The folders are those of the wheel, whose files find each other by them.
set(ado_private lib/ado/kokkos)
set(ADO_KOKKOS_HINT "\${PACKAGE_PREFIX_DIR}/${ado_private}/pygenten/lib64/cmake/Kokkos")
foreach(folder IN ITEMS pygenten/lib64 pygenten.libs)
  list(APPEND ADO_KOKKOS_RPATH "$ORIGIN/../${ado_private}/${folder}")
  file(GLOB libraries "${ADO_WHEEL_DIR}/${folder}/libkokkos*.so.*" "${ADO_WHEEL_DIR}/${folder}/libgomp*")
  if(ADO_KOKKOS_KERNELS)
    file(GLOB libraries "${ADO_WHEEL_DIR}/${folder}/lib*.so*") # OpenBLAS among them, which is large
  endif()
  install(PROGRAMS ${libraries} DESTINATION ${ado_private}/${folder} COMPONENT miniapp)
endforeach()
cmake_path(GET ADO_WHEEL_DIR FILENAME wheel)
install(DIRECTORY "${ADO_WHEEL_DIR}/${wheel}.dist-info/licenses" DESTINATION ${ado_private} COMPONENT miniapp)
install(DIRECTORY "${ADO_WHEEL_KOKKOS_DIR}" DESTINATION ${ado_private}/pygenten/lib64/cmake COMPONENT dev)
install(DIRECTORY "${ADO_WHEEL_DIR}/pygenten/include/kokkos" DESTINATION ${ado_private}/pygenten/include COMPONENT dev)
