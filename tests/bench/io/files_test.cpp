// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result files that several processes write.
#include "npy_files.hpp"
#include <ado/bench/io/files.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>

namespace {

using Files = npy_files::NpyFixture;

/// What the writer with this letter leaves: longer than one write, each of a different length.
std::string text_of(char letter) {
  return std::string((std::size_t{1} << 20) + 100'000 * std::size_t(letter - 'a'), letter);
}

TEST_F(Files, OfSeveralNamesAreOne) {
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  fs::create_symlink("there", "link");
  fs::create_symlink("link", "far");
  fs::create_directory("down");
  for (const auto& [a, b] :
       {std::pair("r", "./r"), {"r", "down/../r"}, {"link", "there"}, {"far", "down/../there"}})
    EXPECT_TRUE(ado::bench::same_file(a, b) && ado::bench::same_file(b, a)) << a << ", " << b;
  EXPECT_TRUE(ado::bench::same_file("r", path("r")));
  EXPECT_FALSE(ado::bench::same_file("r", "down/r"));
  EXPECT_FALSE(ado::bench::same_file("link", "r"));
  fs::create_symlink("round", "round");
  EXPECT_FALSE(ado::bench::same_file("round", "r"));
  fs::current_path(before);
}

/// A reader always sees one file whole, whatever the writers do, and one whole file remains.
TEST_F(Files, OfSeveralProcessesThatWriteOneFileOneIsThereWhole) {
  const auto write = [this](char letter) {
    ado::bench::OutputFile file(path());
    const std::string text = text_of(letter);
    for (std::size_t half : {std::size_t{0}, text.size() / 2}) // others may come in between
      file.write(text.data() + half, half == 0 ? text.size() / 2 : text.size() - half);
    file.commit();
  };
  write('a');
  std::array<pid_t, 2> writers{};
  for (std::size_t k = 0; k < writers.size(); ++k) {
    writers[k] = ::fork();
    ASSERT_GE(writers[k], 0);
    if (writers[k] != 0) continue;
    try {
      for (int round = 0; round < 100; ++round)
        write(static_cast<char>('b' + k));
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  std::size_t finished = 0;
  for (int round = 0; finished < writers.size(); ++round) {
    const std::string text = ado::bench::read_file(path());
    ASSERT_FALSE(text.empty());
    EXPECT_TRUE(text == text_of(text[0])) << "round " << round << ": " << text.size() << " bytes";
    int status = 0;
    if (::waitpid(-1, &status, WNOHANG) <= 0) continue;
    EXPECT_EQ(status, 0) << "a writer failed";
    ++finished;
  }
  EXPECT_EQ(files(), 1u) << "nothing half-written stays";
}

} // namespace
