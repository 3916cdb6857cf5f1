# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs when ado is installed: the man page and the completion scripts that the mini-app prints.
cmake_policy(VERSION 3.25)

function(ado_install_text file)
  execute_process(COMMAND "${ado_miniapp}" ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE status
    ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    message(WARNING "${file} is not installed, for the mini-app does not start: ${error}")
    return()
  endif()
  message(STATUS "Installing: ${file}")
  file(WRITE "$ENV{DESTDIR}${file}" "${text}")
endfunction()

set(ado_zsh site-functions)
if(EXISTS /etc/debian_version AND CMAKE_INSTALL_PREFIX MATCHES "/usr$")
  set(ado_zsh vendor-completions) # where Debian's zsh looks for those of packages
endif()
foreach(name IN ITEMS miniapp ado)
  set(ENV{ADO_PROGRAM} ${name})
  ado_install_text("${ado_man}/man1/${name}.1" --man)
  ado_install_text("${ado_data}/bash-completion/completions/${name}" --completion bash)
  ado_install_text("${ado_data}/zsh/${ado_zsh}/_${name}" --completion zsh)
  ado_install_text("${ado_data}/fish/vendor_completions.d/${name}.fish" --completion fish)
endforeach()
