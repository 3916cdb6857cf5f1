# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the files that download something share.

include(FetchContent)
include(${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake)

# What is unpacked once for all presets of a checkout; a build folder elsewhere keeps its own.
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${CMAKE_BINARY_DIR}" NORMALIZE ado_builds_inside)
if(ado_builds_inside)
  set(ADO_DEPS_DIR "${PROJECT_SOURCE_DIR}/build/_deps")
else()
  set(ADO_DEPS_DIR "${CMAKE_BINARY_DIR}/_deps")
endif()

# FetchContent takes more than a minute to give up on an address that does not answer, and ends the
# configuration then. One byte, asked for with a short limit, tells beforehand. Nothing is asked
# where the sources are here already or were named with FETCHCONTENT_SOURCE_DIR_<NAME>.
function(ado_can_fetch name url result)
  string(TOUPPER "${name}" upper)
  string(TOLOWER "${name}" lower)
  set(status 0)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND NOT EXISTS "${FETCHCONTENT_BASE_DIR}/${lower}-src")
    if(FETCHCONTENT_FULLY_DISCONNECTED)
      set(status 1)
    else()
      file(DOWNLOAD "${url}" RANGE_START 0 RANGE_END 0 TIMEOUT 5 STATUS answer)
      list(GET answer 0 status)
    endif()
  endif()
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# A small dependency: the installed package, else its pinned release, else an error that says what to
# install. ADO_<package>_FROM says which it became. A macro, for the targets' variables are the caller's.
# LICENSE is SPDX's name of it; TESTS: only the tests are made with it.
macro(ado_dependency package)
  cmake_parse_arguments(ado_dep "TESTS" "VERSION;RELEASE;URL;SHA256;DEBIAN;LICENSE" "" ${ARGN})
  set(ado_dep_tests "")
  if(ado_dep_TESTS)
    set(ado_dep_tests TESTS)
  endif()
  string(TOUPPER "${package}" ado_dep_upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${ado_dep_upper})
    find_package(${package} ${ado_dep_VERSION} CONFIG QUIET)
  endif()
  if(${package}_FOUND)
    set(ADO_${package}_FROM "${${package}_VERSION}, installed (${${package}_DIR})")
    ado_used(${package} VERSION "${${package}_VERSION}" LICENSE ${ado_dep_LICENSE}
      WHERE "installed on the machine that ado was built on" ${ado_dep_tests})
  else()
    ado_can_fetch(${package} "${ado_dep_URL}" ado_dep_reachable)
    if(NOT ado_dep_reachable)
      message(FATAL_ERROR
        "${package} ${ado_dep_VERSION} or newer is not installed, and its release cannot be downloaded "
        "from here (${ado_dep_URL}). Install it (Debian and Ubuntu: apt-get install ${ado_dep_DEBIAN}), "
        "say where it is with -D${package}_ROOT=DIR, or where its sources are with "
        "-DFETCHCONTENT_SOURCE_DIR_${ado_dep_upper}=DIR.")
    endif()
    FetchContent_Declare(${package} URL "${ado_dep_URL}" URL_HASH SHA256=${ado_dep_SHA256} SYSTEM)
    FetchContent_MakeAvailable(${package})
    set(ADO_${package}_FROM "${ado_dep_RELEASE}, built here from its release")
    if(FETCHCONTENT_SOURCE_DIR_${ado_dep_upper})
      set(ADO_${package}_FROM "built here from ${FETCHCONTENT_SOURCE_DIR_${ado_dep_upper}}")
      ado_used(${package} LICENSE ${ado_dep_LICENSE} WHERE "built from sources that the user named" ${ado_dep_tests})
    else()
      ado_used(${package} VERSION ${ado_dep_RELEASE} LICENSE ${ado_dep_LICENSE} URL "${ado_dep_URL}"
        SHA256 ${ado_dep_SHA256} WHERE "built from its release" ${ado_dep_tests})
    endif()
  endif()
endmacro()
