# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CUPTI, with which the mini-app finds out what a kernel launch asks of the GPU. Part of the CUDA
# toolkit; without it the mini-app has no launch facts and says so.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Summary.cmake)
include(CheckCXXSourceCompiles)

# ado_link_cupti(target): the static library where it links, for then the program runs wherever the
# driver is; else the shared one.
function(ado_link_cupti target)
  foreach(name IN ITEMS cupti_static cupti)
    if(NOT TARGET CUDA::${name})
      continue()
    endif()
    set(CMAKE_REQUIRED_LIBRARIES CUDA::${name} CUDA::toolkit ${CMAKE_DL_LIBS})
    check_cxx_source_compiles(
      "#include <cupti.h>\nint main() { return cuptiActivityFlushAll(0); }" ADO_LINKS_${name})
    if(ADO_LINKS_${name})
      target_link_libraries(${target} PUBLIC ${CMAKE_REQUIRED_LIBRARIES})
      target_compile_definitions(${target} PRIVATE ADO_HAVE_CUPTI)
      return()
    endif()
  endforeach()
  ado_say(skipped "launch facts in the mini-app: no CUPTI in this CUDA toolkit")
endfunction()
