# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` puts where: the public headers, the files of find_package(ado), the mini-app.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

include(${CMAKE_CURRENT_LIST_DIR}/InstallKokkos.cmake)

set(ado_package ${CMAKE_INSTALL_LIBDIR}/cmake/ado)
install(TARGETS ado EXPORT ado-targets)
install(EXPORT ado-targets NAMESPACE ado:: DESTINATION ${ado_package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ado-config.cmake.in
  ${PROJECT_BINARY_DIR}/ado-config.cmake INSTALL_DESTINATION ${ado_package})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ado-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ado-config.cmake ${PROJECT_BINARY_DIR}/ado-config-version.cmake
  DESTINATION ${ado_package})

ado_write_sbom(${PROJECT_BINARY_DIR}/ado.spdx.json)
install(FILES ${PROJECT_BINARY_DIR}/ado.spdx.json DESTINATION ${CMAKE_INSTALL_DATADIR}/ado COMPONENT miniapp)

install(CODE "set(ado_lib \"${PROJECT_SOURCE_DIR}/lib/ado\")
set(ado_with_bench \"$<TARGET_EXISTS:ado_bench>\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/InstallHeaders.cmake)

# The component distributed: the headers are there in any case, the target needs MPI.
if(ADO_HAVE_MPI)
  install(TARGETS ado_distributed EXPORT ado-distributed-targets)
  install(EXPORT ado-distributed-targets NAMESPACE ado:: DESTINATION ${ado_package})
endif()

# The component bench: the instrument, for the mini-apps of other projects.
if(TARGET ado_bench)
  install(TARGETS ado_bench ado_core EXPORT ado-bench-targets)
  install(EXPORT ado-bench-targets NAMESPACE ado:: DESTINATION ${ado_package})
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/AdoMiniapp.cmake ${CMAKE_CURRENT_LIST_DIR}/Cards.cmake
    ${CMAKE_CURRENT_LIST_DIR}/CudaStandard.cmake
    ${PROJECT_SOURCE_DIR}/miniapp/main.cpp DESTINATION ${ado_package})
endif()

set(ado_report_files report.py history.py export.py page.py pictures.py figures.py svg.py measured.py)
if(TARGET miniapp)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME miniapp)
  # It finds the Kokkos that it was linked with: an installed one where it is, any other beside it.
  set(ado_rpath "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" ${ADO_KOKKOS_RPATH})
  set_target_properties(miniapp PROPERTIES
    INSTALL_RPATH "${ado_rpath}" INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS miniapp)
  # Under its own name, beside the page of its results.
  install(PROGRAMS ${CMAKE_CURRENT_LIST_DIR}/installed_ado.sh RENAME ado DESTINATION ${CMAKE_INSTALL_BINDIR})
  list(TRANSFORM ado_report_files PREPEND ${PROJECT_SOURCE_DIR}/benchmarks/)
  install(FILES ${ado_report_files} DESTINATION ${CMAKE_INSTALL_DATADIR}/ado/benchmarks)
  install(FILES ${PROJECT_SOURCE_DIR}/python/ado_results/portability.py ${PROJECT_SOURCE_DIR}/python/ado_results/record.py
    DESTINATION ${CMAKE_INSTALL_DATADIR}/ado/python/ado_results)
  # The program writes them; where it does not start, without the driver of a GPU say, they are left
  # out.
  install(CODE "set(ado_miniapp \"$<TARGET_FILE:miniapp>\")
set(ado_data \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
set(ado_man \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}\")")
  install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/InstallManual.cmake)
  include(${CMAKE_CURRENT_LIST_DIR}/Package.cmake)
endif()
