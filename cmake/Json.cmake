# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# nlohmann-json: nlohmann_json::nlohmann_json.
include_guard(DIRECTORY) # an imported target is known in its directory only
include(${CMAKE_CURRENT_LIST_DIR}/Fetch.cmake)

ado_dependency(nlohmann_json
  VERSION 3.10
  RELEASE 3.11.3
  URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  SHA256 d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d
  DEBIAN nlohmann-json3-dev
  LICENSE MIT)
