# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target docs: the site of docs/site, in docs/ of the build folder. Warnings are errors.
find_program(ADO_DOXYGEN doxygen DOC "Doxygen, for the target docs")
find_program(ADO_SPHINX sphinx-build DOC "Sphinx, for the target docs")
if(NOT ADO_DOXYGEN)
  set(ADO_NO_DOCS_BECAUSE "no doxygen found")
elseif(NOT ADO_SPHINX)
  set(ADO_NO_DOCS_BECAUSE "no sphinx-build found")
else()
  file(WRITE ${PROJECT_BINARY_DIR}/docs_probe/index.rst "probe\n=====\n")
  execute_process(COMMAND ${ADO_SPHINX} -Q -C -b html -D extensions=myst_parser,breathe,sphinx_copybutton -D html_theme=furo -D root_doc=index
    ${PROJECT_BINARY_DIR}/docs_probe ${PROJECT_BINARY_DIR}/docs_probe/out RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(ADO_NO_DOCS_BECAUSE "${ADO_SPHINX} lacks one of myst_parser, breathe, sphinx_copybutton, furo")
  endif()
endif()

if(ADO_NO_DOCS_BECAUSE)
  ado_say(skipped "docs: ${ADO_NO_DOCS_BECAUSE}")
else()
  add_custom_target(docs VERBATIM WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMAND ${ADO_SPHINX} -W --keep-going -q -E -c docs/site . ${PROJECT_BINARY_DIR}/docs
    COMMENT "The site: ${PROJECT_BINARY_DIR}/docs/index.html")
  ado_say(built "docs: the site of the pages and the API (a target, not part of all)")
endif()
