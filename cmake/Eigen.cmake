# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Eigen, optional: yardsticks on the CPU. Never required and never installed by ado. Sets
# ADO_HAVE_EIGEN; the target is ado_eigen.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake)

option(ADO_EIGEN "Use Eigen where it is installed" ON)

set(ADO_HAVE_EIGEN FALSE)
if(NOT ADO_EIGEN)
  ado_say(skipped "Eigen variants: ADO_EIGEN=OFF")
else()
  find_package(Eigen3 3.3 QUIET NO_MODULE)
  if(TARGET Eigen3::Eigen)
    set(ADO_HAVE_EIGEN TRUE)
    # Its headers as a system's: their warnings are not ours.
    get_target_property(directories Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
    add_library(ado_eigen INTERFACE)
    target_include_directories(ado_eigen SYSTEM INTERFACE ${directories})
    ado_say(Eigen "${Eigen3_VERSION} (${Eigen3_DIR})")
    ado_used(Eigen VERSION "${Eigen3_VERSION}" LICENSE MPL-2.0 WHERE "installed on the machine that ado was built on")
  else()
    ado_say(skipped "Eigen variants: not installed (Debian and Ubuntu: apt-get install libeigen3-dev)")
  endif()
endif()
