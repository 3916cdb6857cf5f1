// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fuzz targets share. A target takes any bytes and returns; it or its sanitizer aborts if
// the tested code misbehaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// The target, under the name that libFuzzer calls.
/// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A folder of this process only, in memory if the system has such a place; removed with the
/// process.
class Folder {
public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  std::string path(const char* name) const { return (folder_ / name).string(); }
  /// Writes the file and returns its path.
  std::string put(const char* name, std::string_view bytes) const;

private:
  std::filesystem::path folder_;
};

/// Aborts with `what` unless `holds`.
void require(bool holds, const char* what);

} // namespace fuzz
