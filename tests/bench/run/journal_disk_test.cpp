// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A power cut loses what is not on disk yet, so what a run relies on must be synced first.
#include "npy_files.hpp"
#include <ado/bench/io/files.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <sstream>

namespace {

/// What fsync() was called on: a file's size, or -1 for a folder.
std::vector<long> synced;

} // namespace

/// Replaces the system's function, and calls it.
extern "C" int fsync(int file) {
  struct stat status {};
  if (::fstat(file, &status) == 0) synced.push_back(S_ISDIR(status.st_mode) ? -1 : status.st_size);
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace ado::bench {
namespace {

class OnDisk : public npy_files::NpyFixture {
protected:
  long size(const std::string& name) const {
    return static_cast<long>(std::filesystem::file_size(path(name)));
  }
  void SetUp() override {
    NpyFixture::SetUp();
    synced.clear();
  }
};

TEST_F(OnDisk, EachRowOfAJournalIsBeforeTheNextIsMeasured) {
  Journal journal(path("j"), false, {{"commit", "0123abc"}});
  journal.begin(Ceilings{1, 1, 1, 1, 1, 1, 1}, "now");
  ASSERT_EQ(synced, (std::vector<long>{-1, size("j")})) << "its name, then its head";
  for (const char* name : {"team", "flat"}) {
    journal.add({.problem = {find_algorithm("yax"), {3, 5, 1}, Type::f64}, .name = name});
    EXPECT_EQ(synced.back(), size("j")) << name;
  }
  EXPECT_EQ(synced.size(), 4u);
}

TEST_F(OnDisk, ARecordIsBeforeItsJournalGoes) {
  std::ostringstream out;
  write_text(path("r.json"), "{}", out);
  EXPECT_EQ(synced, std::vector<long>{2});
}

} // namespace
} // namespace ado::bench
