// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace fuzz {

Folder::Folder() {
  const std::filesystem::path memory = "/dev/shm";
  std::error_code error;
  const auto parent = std::filesystem::is_directory(memory, error)
                          ? memory
                          : std::filesystem::temp_directory_path();
  std::string name = (parent / "ado_fuzz_XXXXXX").string();
  require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
  folder_ = name;
}

Folder::~Folder() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

std::string Folder::put(const char* name, std::string_view bytes) const {
  std::string file = path(name);
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  require(bool(stream.flush()), "a temporary file can be written");
  return file;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: does not hold: %s\n", what);
  std::abort();
}

} // namespace fuzz
