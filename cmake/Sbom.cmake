# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The list of what an installed ado is made of, as SPDX 2.3 in JSON: share/ado/ado.spdx.json.
#   ado_used(name VERSION v LICENSE id WHERE text [URL u] [SHA256 h] [PURL p] [TESTS])
# is called where a dependency was found; TESTS: only the tests are made with it.
include_guard(GLOBAL)

function(ado_used name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TESTS" "VERSION;LICENSE;WHERE;URL;SHA256;PURL" "")
  get_property(known GLOBAL PROPERTY ADO_USED)
  if(name IN_LIST known)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY ADO_USED "${name}")

  string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "SPDXRef-${name}")
  set(package "{}")
  ado_set_texts(package SPDXID "${id}" name "${name}" downloadLocation NOASSERTION licenseConcluded NOASSERTION
    licenseDeclared "${arg_LICENSE}" copyrightText NOASSERTION comment "${arg_WHERE}")
  string(JSON package SET "${package}" filesAnalyzed false)
  if(arg_VERSION)
    ado_set_texts(package versionInfo "${arg_VERSION}")
  endif()
  if(arg_URL)
    ado_set_texts(package downloadLocation "${arg_URL}")
  endif()
  if(arg_SHA256)
    string(JSON package SET "${package}" checksums
      "[{\"algorithm\": \"SHA256\", \"checksumValue\": \"${arg_SHA256}\"}]")
  endif()
  if(arg_PURL)
    string(JSON package SET "${package}" externalRefs "[{\"referenceCategory\": \"PACKAGE-MANAGER\", \
\"referenceType\": \"purl\", \"referenceLocator\": \"${arg_PURL}\"}]")
  endif()
  set(relation "{\"spdxElementId\": \"SPDXRef-ado\", \"relationshipType\": \"DEPENDS_ON\", \"relatedSpdxElement\": \"${id}\"}")
  if(arg_TESTS)
    set(relation "{\"spdxElementId\": \"${id}\", \"relationshipType\": \"TEST_DEPENDENCY_OF\", \"relatedSpdxElement\": \"SPDXRef-ado\"}")
  endif()
  set_property(GLOBAL PROPERTY "ADO_USED_PACKAGE_${name}" "${package}")
  set_property(GLOBAL PROPERTY "ADO_USED_RELATION_${name}" "${relation}")
endfunction()

# ado_set_texts(object name text...): in the JSON object of that variable.
macro(ado_set_texts object)
  set(ado_texts ${ARGN})
  while(ado_texts)
    list(POP_FRONT ado_texts ado_key ado_text)
    string(REPLACE "\\" "\\\\" ado_text "${ado_text}")
    string(REPLACE "\"" "\\\"" ado_text "${ado_text}")
    string(JSON ${object} SET "${${object}}" ${ado_key} "\"${ado_text}\"")
  endwhile()
endmacro()

# Writes it; call it last.
function(ado_write_sbom file)
  string(TIMESTAMP now "%Y-%m-%dT%H:%M:%SZ" UTC) # of SOURCE_DATE_EPOCH where that is set
  set(packages "[{}]")
  set(package "{}")
  ado_set_texts(package SPDXID SPDXRef-ado name ado versionInfo "${PROJECT_VERSION}"
    downloadLocation NOASSERTION licenseConcluded NOASSERTION
    licenseDeclared "Apache-2.0 WITH LLVM-exception" copyrightText NOASSERTION)
  string(JSON package SET "${package}" filesAnalyzed false)
  string(JSON packages SET "${packages}" 0 "${package}")
  set(relations "[{\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-ado\"}]")
  set(names "")
  get_property(used GLOBAL PROPERTY ADO_USED)
  set(k 1)
  foreach(name IN LISTS used)
    get_property(package GLOBAL PROPERTY "ADO_USED_PACKAGE_${name}")
    get_property(relation GLOBAL PROPERTY "ADO_USED_RELATION_${name}")
    string(JSON packages SET "${packages}" ${k} "${package}")
    string(JSON relations SET "${relations}" ${k} "${relation}")
    math(EXPR k "${k} + 1")
    string(APPEND names "${package}")
  endforeach()
  string(SHA256 hash "${names}") # the same parts have the same name
  set(document "{}")
  ado_set_texts(document spdxVersion SPDX-2.3 dataLicense CC0-1.0 SPDXID SPDXRef-DOCUMENT
    name "ado-${PROJECT_VERSION}" documentNamespace "urn:sha256:${hash}")
  string(JSON document SET "${document}" creationInfo
    "{\"created\": \"${now}\", \"creators\": [\"Tool: ado-cmake\"]}")
  string(JSON document SET "${document}" packages "${packages}")
  string(JSON document SET "${document}" relationships "${relations}")
  file(WRITE "${file}" "${document}\n")
endfunction()
