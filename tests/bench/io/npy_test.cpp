// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .npy reader on files as NumPy writes them, and the writer.
#include "npy_files.hpp"
#include <ado/bench/io/npy.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace npy_files;
using ado::bench::Extents;
using ado::bench::NpyHeader;
using ado::bench::Type;
using NpyTest = NpyFixture;

struct Shape {
  const char* text;
  int rank;
  Extents extent;
};
const std::vector<Shape> shapes{
    {"()", 0, {1, 1, 1}},        {"(5,)", 1, {5, 1, 1}},      {"(0,)", 1, {0, 1, 1}},
    {"(3, 4)", 2, {3, 4, 1}},    {"(0, 4)", 2, {0, 4, 1}},    {"(3, 0)", 2, {3, 0, 1}},
    {"(1, 7)", 2, {1, 7, 1}},    {"(2, 3, 5)", 3, {2, 3, 5}}, {"(7, 1, 3)", 3, {7, 1, 3}},
    {"(4, 0, 2)", 3, {4, 0, 2}},
};
// More elements than the reader holds at a time, large in every extent.
const std::vector<Shape> large_shapes{
    {"(66001, 300)", 2, {66001, 300, 1}},    {"(2, 9000001)", 2, {2, 9000001, 1}},
    {"(9000001, 2)", 2, {9000001, 2, 1}},    {"(257, 263, 300)", 3, {257, 263, 300}},
    {"(3, 5, 1200007)", 3, {3, 5, 1200007}},
};
const std::vector<std::pair<const char*, Type>> types{
    {"|i1", Type::i8},  {"<i2", Type::i16}, {"<i4", Type::i32}, {"<i8", Type::i64},
    {"<f4", Type::f32}, {"<f8", Type::f64}, {"<c8", Type::c64}, {"<c16", Type::c128}};

TEST_F(NpyTest, ReadsEveryTypeOrderRankAndVersion) {
  for (const auto& [descr, type] : types)
    for (const Shape& shape : shapes)
      for (const bool order : {false, true})
        for (const int version : {1, 2, 3}) {
          SCOPED_TRACE(std::string(descr) + " " + shape.text + (order ? " Fortran" : " C"));
          const std::string data = elements(shape.extent, size_of(type));
          put(npy(dictionary(descr, order, shape.text),
                  order ? fortran(data, shape.extent, size_of(type)) : data, version));
          const NpyHeader header = ado::bench::read_npy_header(path());
          EXPECT_EQ(header, (NpyHeader{type, order, shape.rank, shape.extent,
                                       get().size() - data.size(), data.size()}));
          EXPECT_EQ(read(path()), data);
        }
}

TEST_F(NpyTest, ReadsFortranOrderInPieces) {
  for (const Shape& shape : large_shapes) {
    const std::string data = elements(shape.extent, 1);
    put(npy(dictionary("|i1", true, shape.text), fortran(data, shape.extent, 1)));
    EXPECT_TRUE(read(path()) == data) << shape.text;
  }
}

TEST_F(NpyTest, ReadsWhatNumPyWrote) {
  // numpy.save of a Fortran-ordered int16 array of shape (2, 3, 2), NumPy 2.4, byte for byte.
  const std::string blanks(56, ' ');
  const std::string file =
      std::string("\x93NUMPY\x01\0v\0", 10) +
      "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3, 2), }" + blanks + "\n" +
      std::string(
          "\x18\xfc\x1e\x02\x1a\xfe \x04\x1c\0\"\x06\x19\xfd\x1f\x03\x1b\xff!\x05\x1d\x01#\x07",
          24);
  put(file);
  std::array<std::int16_t, 12> values{};
  ado::bench::read_npy(path(), ado::bench::read_npy_header(path()), values.data());
  EXPECT_EQ(values, (std::array<std::int16_t, 12>{-1000, -743, -486, -229, 28, 285, 542, 799, 1056,
                                                  1313, 1570, 1827}));
}

TEST_F(NpyTest, ReadsWhatPythonReadsAsTheSame) {
  const std::string data(24, 'x');
  for (const char* text : {
           "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}",
           "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3,)}",
           " {\t'descr' : '<f4' ,\n 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } ",
       })
    EXPECT_EQ(read(put(npy(text, data))), data) << text;
}

TEST_F(NpyTest, HeaderOfFilesBeyond32Bits) {
  put(npy(dictionary("<i8", false, "(3, 1073741825)"), ""));
  const auto start = fs::file_size(path());
  fs::resize_file(path(), start + 3 * 1073741825ull * 8); // sparse: needs no disk space
  EXPECT_EQ(ado::bench::read_npy_header(path()).bytes, 3 * 1073741825ull * 8);
}

// ---- the writer -------------------------------------------------------------------------------

TEST_F(NpyTest, ReadsBackWhatItWrote) {
  for (const auto& [descr, type] : types)
    for (const Shape& shape : shapes) {
      SCOPED_TRACE(std::string(descr) + " " + shape.text);
      const std::string data = elements(shape.extent, size_of(type));
      ado::bench::write_npy(path(), type, shape.rank, shape.extent, data.data());
      // The header equals NumPy's.
      EXPECT_EQ(get(), npy(dictionary(descr, false, shape.text), data));
      EXPECT_EQ(ado::bench::read_npy_header(path()).extent, shape.extent);
      EXPECT_EQ(read(path()), data);
    }
  EXPECT_EQ(files(), 1u);
}

TEST_F(NpyTest, WritesTheWholeFileOrNothing) {
  const std::string data(100000, 'x');
  put("what stood there before");
  const auto write = [&](std::size_t length) {
    ado::bench::write_npy(path(), Type::i8, 1, {length, 1, 1}, data.data());
  };
  rlimit unlimited{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{5000, unlimited.rlim_max}; // stands in for a full disk
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  expect_refused("cannot be written (File too large)", [&] { write(data.size()); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(get(), "what stood there before");
  EXPECT_EQ(files(), 1u) << "the half-written file must not stay";

  write(100);
  EXPECT_EQ(read(path()), std::string(100, 'x'));
  EXPECT_EQ(files(), 1u);
}

TEST_F(NpyTest, RefusesToWrite) {
  const char byte = 0;
  const auto write = [&](const std::string& name, int rank, const Extents& extent) {
    ado::bench::write_npy(name, Type::i8, rank, extent, &byte);
  };
  expect_refused("No such file", [&] { write(path("none/a.npy"), 0, {}); });
  expect_refused("not a regular file", [&] { write(folder_.string(), 0, {}); });
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_refused("not a regular file", [&] { write(path("pipe"), 0, {}); });
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_THROW(write(path(), 4, {1, 1, 1}), ado::InvalidArgument);
  EXPECT_THROW(write(path(), -1, {1, 1, 1}), ado::InvalidArgument);
  EXPECT_THROW(write(path(), 2, {std::size_t{1} << 32, std::size_t{1} << 32, 1}),
               ado::InvalidArgument);
  EXPECT_EQ(files(), 1u);
}

TEST_F(NpyTest, WritesThroughLinks) {
  put("");
  fs::create_symlink(path(), path("link"));
  ado::bench::write_npy(path("link"), Type::i8, 1, {3, 1, 1}, "abc");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read(path()), "abc");
}

} // namespace
