// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .npy reader on every kind of bad file, on files that change while it reads, and on damaged
// ones.
#include "npy_files.hpp"
#include <ado/bench/io/npy.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

// Replaces the reader's pread calls if set.
std::function<ssize_t(int, void*, std::size_t, off_t)> pread_hook;

ssize_t real_pread(int fd, void* to, std::size_t bytes, off_t offset) {
  return static_cast<ssize_t>(::syscall(SYS_pread64, fd, to, bytes, offset));
}

} // namespace

// Replaces the C library's function in this program.
extern "C" ssize_t pread(int fd, void* to, std::size_t bytes, off_t offset) {
  return pread_hook ? pread_hook(fd, to, bytes, offset) : real_pread(fd, to, bytes, offset);
}

namespace {

namespace fs = std::filesystem;
using namespace npy_files;
using ado::bench::InputError;
using ado::bench::NpyHeader;

class NpyBadTest : public NpyFixture {
protected:
  void TearDown() override {
    pread_hook = nullptr;
    NpyFixture::TearDown();
  }
};

TEST_F(NpyBadTest, RefusesBadPreamble) {
  const std::string good = npy(f4_2x3, std::string(24, 'x'));
  const auto with = [&](std::size_t at, const std::string& bytes) {
    return std::string(good).replace(at, bytes.size(), bytes);
  };
  const struct {
    std::string file, message;
  } rows[] = {
      {"", "is empty"},
      {"PK\3\4 and so on", ".npz archive"},
      {"1.5 2.5 3.5 in text", "is not a .npy file"},
      {with(5, "Z"), "is not a .npy file"},
      {with(6, std::string(1, '\0')), "format version 0.0"},
      {with(6, "\4"), "format version 4.0"},
      {with(7, "\1"), "format version 1.1"},
      {with(8, "\xff\xff"), "65535 bytes; at most 10000"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12), "4294967295 bytes; at most 10000"},
      {std::string("\x93NUMPY\3\0\x11\x27\0\0", 12) + std::string(10001, ' '), "at most 10000"},
      {std::string("\x93NUMPY\3\0\x10\x27\0\0", 12), "truncated inside its header"},
      {std::string("\x93NUMPY\1\0\0\0", 10), "expected '{', found the end"},
  };
  for (const auto& row : rows)
    expect_refused(row.message, [&] { read(put(row.file)); });
}

TEST_F(NpyBadTest, RefusesBadHeader) {
  const struct {
    std::string text, message;
  } rows[] = {
      {"", "malformed at byte"},
      {"[1, 2]", "expected '{', found '[1, 2]"},
      {"{", "a key in quotes, found the end"},
      {"{}", "lacks the key 'descr'"},
      {"{,}", "a key in quotes"},
      {"{'descr': '<f4', 'fortran_order': False, }", "lacks the key 'shape'"},
      {"{'descr': '<f4', 'shape': (6,), }", "lacks the key 'fortran_order'"},
      {"{'descr': '<f4', 'descr': '<f4', }", "the key 'descr' twice"},
      {"{'descr': '<f4', 'extra': 1, }", "unknown key 'extra'"},
      {"{'descr': '<f4' 'fortran_order': False}", "',' or '}'"},
      {"{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}", "True or False, found '0"},
      {"{'descr': '<f4', 'fortran_order': Falsey, 'shape': (6,)}", "',' or '}', found 'y"},
      {"{'descr': '<f4, }", "a string that ends"},
      {"{'descr': '\\x3cf4', }", "a string without escapes"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': __import__('os')}", "expected '('"},
      {f4_2x3 + " x", "only blanks after '}', found 'x"},
      {f4_2x3 + std::string(1, '\0'), "only blanks after '}', found '\\x00"},
      {f4_2x3.substr(0, f4_2x3.size() - 2), "a key in quotes, found the end"},
  };
  for (const auto& row : rows)
    expect_refused(row.message, [&] { read(put(npy(row.text, std::string(24, 'x')))); });
}

TEST_F(NpyBadTest, RefusesBadShape) {
  const std::pair<const char*, const char*> rows[] = {
      {"(-2, 3)", "a length, 0 or more, in digits, found '-2"},
      {"(+2, 3)", "a length, 0 or more, in digits"},
      {"(02, 3)", "without leading zeros"},
      {"(1_0, 3)", "',' or ')', found '_0"},
      {"(2.0, 3)", "',' or ')', found '.0"},
      {"(2L, 3L)", "',' or ')', found 'L"},
      {"(0x6,)", "',' or ')', found 'x6"},
      {"(2 3)", "',' or ')', found '3"},
      {"(,)", "a length"},
      {"(2,,3)", "a length"},
      {"(6)", "not a tuple"},
      {"[2, 3]", "expected '('"},
      {"6", "expected '('"},
      {"(2, 3", "in digits, found '}"},
      {"(2, 3, 1, 1)", "4 dimensions; at most 3"},
      {"(6,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", "24 dimensions; at most 3"},
      {"(18446744073709551616,)", "does not fit 64 bits"},
      {"(18446744073709551615,)", "more bytes than fit 63 bits"},
      {"(4294967296, 4294967296)", "more bytes than fit 63 bits"},
      {"(2305843009213693952, 1)", "more bytes than fit 63 bits"},
      {"(4611686018427387910,)", "more bytes than fit 63 bits"}, // wraps to 24 bytes
      {"(0, 4294967296, 4294967296)", "more bytes than fit 63 bits"},
      {"(2, 4)", "is truncated: 32 bytes of data expected for f32 (2, 4), 24 found"},
      {"(5,)", "has trailing data: 20 bytes of data expected for f32 (5,), 24 found"},
      {"(0,)", "has trailing data: 0 bytes"},
      {"()", "has trailing data: 4 bytes of data expected for f32 (), 24 found"},
  };
  for (const auto& row : rows)
    expect_refused(row.second, [&] {
      read(put(npy(dictionary("<f4", false, row.first), std::string(24, 'x'))));
    });
}

TEST_F(NpyBadTest, RefusesUnsupportedTypesWithAdvice) {
  const std::array<const char*, 3> rows[] = {
      {"'|b1'", "boolean", ".astype('<i1')"},
      {"'|u1'", "unsigned", ".astype('<i2')"},
      {"'<u2'", "unsigned", ".astype('<i4')"},
      {"'<u4'", "unsigned", ".astype('<i8')"},
      {"'<u8'", "unsigned", ".astype('<i8')"},
      {"'<f2'", "half", ".astype('<f4')"},
      {"'<f16'", "extended", ".astype('<f8')"},
      {"'<c32'", "extended", ".astype('<c16')"},
      {"'>f4'", "byte order", ".astype('<f4')"},
      {"'>c16'", "byte order", ".astype('<c16')"},
      {"'=f8'", "no byte order given", ".astype('<f8')"},
      {"'f8'", "no byte order given", ".astype('<f8')"},
      {"'|f8'", "no byte order given", ".astype('<f8')"},
      {"'|O'", "Python objects", ".astype('<f8')"},
      {"'|S3'", "text", ".astype"},
      {"'<U3'", "text", ".astype"},
      {"'|V8'", "raw", ".astype"},
      {"'<M8[s]'", "dates", ".astype('<i8')"},
      {"'<m8[s]'", "time", ".astype('<i8')"},
      {"'<f44'", "extended", ".astype"},
      {"''", "unknown", ".astype"},
      {"'\x1b[31m'", "'\\x1b[31m'", ".astype"},
      {"[('a', '<f4')]", "structured, '[('a', '<f4')]", "save one field"},
      {"('<f4', (2,))", "structured", "save one field"},
      {"4", "a dtype in quotes", "numpy.save"},
  };
  for (const auto& [descr, what, advice] : rows) {
    const std::string text =
        "{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': (6,), }";
    put(npy(text, std::string(24, 'x')));
    expect_refused(what, [&] { ado::bench::read_npy_header(path()); });
    expect_refused(advice, [&] { ado::bench::read_npy_header(path()); });
  }
}

TEST_F(NpyBadTest, RefusesWhatIsNoRegularFile) {
  expect_refused("cannot be opened (No such file",
                 [&] { ado::bench::read_npy_header(path("none")); });
  expect_refused("is a directory", [&] { ado::bench::read_npy_header(folder_.string()); });
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_refused("is a pipe", [&] { ado::bench::read_npy_header(path("pipe")); }); // must not wait
  EXPECT_THROW(ado::bench::read_npy_header("/dev/zero"), InputError);
}

TEST_F(NpyBadTest, RefusesFilesThatChange) {
  const std::string good = npy(f4_2x3, std::string(24, 'x'));
  const NpyHeader header = ado::bench::read_npy_header(put(good));
  std::array<char, 24> data{};
  put(npy(dictionary("<f4", false, "(3, 2)"), std::string(24, 'x')));
  expect_refused("changed after", [&] { ado::bench::read_npy(path(), header, data.data()); });
  put(good.substr(0, good.size() - 1));
  expect_refused("is truncated", [&] { ado::bench::read_npy(path(), header, data.data()); });
}

TEST_F(NpyBadTest, SurvivesShortInterruptedAndFailingReads) {
  const std::string data = elements({4, 6, 1}, 4);
  put(npy(dictionary("<f4", true, "(4, 6)"), fortran(data, {4, 6, 1}, 4)));
  int calls = 0;
  pread_hook = [&](int fd, void* to, std::size_t, off_t offset) -> ssize_t {
    errno = EINTR;
    return ++calls % 2 != 0 ? -1 : real_pread(fd, to, 1, offset);
  };
  EXPECT_EQ(read(path()), data);
  EXPECT_GT(calls, 2 * 96);

  pread_hook = [&](int fd, void* to, std::size_t bytes, off_t offset) {
    if (offset >= 128) fs::resize_file(path(), 128 + 50); // leaves only the header
    return real_pread(fd, to, bytes, offset);
  };
  expect_refused("became shorter while it was read", [&] { read(path()); });

  put(npy(f4_2x3, std::string(24, 'x')));
  pread_hook = [](int, void*, std::size_t, off_t) -> ssize_t { return errno = EIO, -1; };
  expect_refused("cannot be read (Input/output error)", [&] { read(path()); });
}

// ---- damaged files ----------------------------------------------------------------------------

std::vector<std::string> small_files() {
  return {npy(f4_2x3, std::string(24, 'x')),
          npy(dictionary("<c16", true, "(2, 3, 2)"), std::string(192, 'x'), 2),
          npy(dictionary("|i1", true, "(9, 2)"), std::string(18, 'x'), 3),
          npy(dictionary("<i8", false, "()"), std::string(8, 'x'), 3)};
}

TEST_F(NpyBadTest, RefusesEveryTruncationAndExtension) {
  for (const std::string& file : small_files()) {
    for (std::size_t length = 0; length < file.size(); ++length)
      expect_refused(length == 0 ? "is empty" : "is truncated",
                     [&] { read(put(file.substr(0, length))); });
    expect_refused("has trailing data", [&] { read(put(file + "x")); });
  }
}

TEST_F(NpyBadTest, SurvivesRandomDamage) {
  const auto memory_used = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss; // in KiB
  };
  const auto before = memory_used();
  const std::vector<std::string> files = small_files();
  std::mt19937 random(20240607);
  int accepted = 0;
  for (int n = 0; n < 20000; ++n) {
    std::string file = files[random() % files.size()];
    for (auto flips = 1 + random() % 3; flips > 0; --flips) {
      char& byte = file[random() % file.size()];
      byte = static_cast<char>(byte ^ (1 << random() % 8));
    }
    try {
      put(file);
      const NpyHeader header = ado::bench::read_npy_header(path());
      ASSERT_EQ(header.data_offset + header.bytes, file.size());
      EXPECT_EQ(read(path()).size(), header.bytes);
      ++accepted;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(accepted, 1000) << "the damage should spare some files, or it tests little";
  // A sanitizer keeps up to 256 MiB of freed memory; a reader that trusts the length takes
  // gigabytes.
  EXPECT_LT(memory_used() - before, 400 * 1024);
}

} // namespace
