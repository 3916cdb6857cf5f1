# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the first digits of a hash over FILES, in any order, to OUTPUT.
set(hashes)
foreach(file IN LISTS FILES)
  file(SHA256 ${file} hash)
  list(APPEND hashes ${hash})
endforeach()
list(SORT hashes)
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 12 hash)
file(WRITE ${OUTPUT} "namespace ado::bench {\ninline constexpr char kernels_fingerprint[] = \"${hash}\";\n}\n")
