// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the tests of the reader: .npy files as text, and a folder for them.
#pragma once

#include <ado/bench/io/npy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace npy_files {

/// A .npy file as NumPy writes it: the header is padded so that the data is aligned to 64.
inline std::string npy(const std::string& dictionary, const std::string& data, int major = 1) {
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  std::string text = dictionary + "\n";
  while ((8 + length_bytes + text.size()) % 64 != 0)
    text.insert(dictionary.size(), 1, ' ');
  std::string file = "\x93NUMPY" + std::string{static_cast<char>(major), '\0'};
  for (std::size_t b = 0; b < length_bytes; ++b)
    file += static_cast<char>(b < 2 ? (text.size() >> (8 * b)) & 255 : 0);
  return file + text + data;
}

inline std::string dictionary(const std::string& descr, bool fortran, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}
inline const std::string f4_2x3 = dictionary("<f4", false, "(2, 3)");

class NpyFixture : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "ado_npy_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "a.npy") const { return (folder_ / name).string(); }
  std::string put(const std::string& bytes) const {
    std::filesystem::remove(path()); // truncating and refilling may flush it
    std::ofstream(path(), std::ios::binary) << bytes;
    return path();
  }
  std::string get() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Not counting the cache that a program makes on a quiet machine.
  std::size_t files() const {
    const std::filesystem::directory_iterator entries(folder_);
    return static_cast<std::size_t>(
        std::count_if(begin(entries), end(entries),
                      [](const auto& entry) { return entry.path().filename() != "cache"; }));
  }

  static std::string read(const std::string& name) {
    const ado::bench::NpyHeader header = ado::bench::read_npy_header(name);
    std::string data(header.bytes, '\0');
    ado::bench::read_npy(name, header, data.data());
    return data;
  }
  /// Expects `action` to throw an InputError whose message holds the file's name and `fragment`.
  template <class Action>
  void expect_refused(const std::string& fragment, Action action) const {
    try {
      action();
      ADD_FAILURE() << "accepted, where this was expected: " << fragment;
    } catch (const ado::bench::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find(folder_.string()), 0u) << error.what();
    }
  }

  std::filesystem::path folder_;
};

/// Elements whose bytes reveal position and byte number, in row-major order.
inline std::string elements(const ado::bench::Extents& extent, std::size_t size) {
  std::string data(extent[0] * extent[1] * extent[2] * size, '\0');
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<char>(i * 2654435761u >> 11);
  return data;
}

/// The same elements in Fortran order.
inline std::string fortran(const std::string& data, const ado::bench::Extents& extent,
                           std::size_t size) {
  std::string result;
  result.reserve(data.size());
  for (std::size_t k = 0; k < extent[2]; ++k)
    for (std::size_t j = 0; j < extent[1]; ++j)
      for (std::size_t i = 0; i < extent[0]; ++i)
        result.append(data, ((i * extent[1] + j) * extent[2] + k) * size, size);
  return result;
}

} // namespace npy_files
