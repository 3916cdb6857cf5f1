# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cpack -G DEB` makes: ado-miniapp, the program with all it needs, and libado-dev, to build with.
include_guard(GLOBAL)

set(CPACK_DEBIAN_MINIAPP_PACKAGE_NAME ado-miniapp)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libado-dev)
foreach(component IN ITEMS MINIAPP DEV)
  string(TOLOWER ${component} folder)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright COMPONENT ${folder}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${component}_PACKAGE_NAME})
endforeach()

# Without them CPack would make packages that depend on nothing.
find_program(ADO_DPKG_SHLIBDEPS dpkg-shlibdeps DOC "Finds the packages of a program's libraries")
find_program(ADO_FILE file DOC "Tells CPack which files are programs")
if(NOT ADO_DPKG_SHLIBDEPS OR NOT ADO_FILE)
  ado_say(skipped ".deb packages: no dpkg-shlibdeps or no file (Debian and Ubuntu: apt-get install dpkg-dev file)")
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The ado authors")
set(CPACK_COMPONENTS_ALL miniapp dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_MINIAPP_DESCRIPTION "What Kokkos costs: portable and hand-written kernels, measured in turn")
set(CPACK_DEBIAN_MINIAPP_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MINIAPP_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEV_DESCRIPTION "Memory-bound kernels on Kokkos Views: headers and CMake files")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)

# Who builds with ado needs the Kokkos that it was built with, which is one of these.
if(ADO_KOKKOS_ORIGIN STREQUAL wheel)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${ADO_WHEEL_DIR}/pygenten/lib64" "${ADO_WHEEL_DIR}/pygenten.libs")
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "ado-miniapp (= ${PROJECT_VERSION})") # its libraries are there
elseif(ADO_KOKKOS_ORIGIN STREQUAL release)
  set(CPACK_DEBIAN_DEV_PACKAGE_CONFLICTS libkokkos-dev) # both bring the same files
else()
  execute_process(COMMAND dpkg -S "${Kokkos_DIR}/KokkosConfig.cmake" OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX MATCH "^[^:,]+" CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${owner}")
endif()
include(CPack)
