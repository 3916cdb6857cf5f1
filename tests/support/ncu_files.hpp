// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made-up tables of Nsight Compute, and the complaints about wrong ones.
#pragma once

#include "npy_files.hpp"
#include <ado/bench/io/files.hpp>
#include <ado/bench/profile/ncu_csv.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace ado::bench {

class NcuCsv : public npy_files::NpyFixture {
protected:
  std::string file(const std::string& text) const {
    const std::string path = this->path("ncu.csv");
    std::ofstream(path) << text;
    return path;
  }
  void expect_error(const std::string& text, const std::vector<std::string>& fragments) const {
    const std::string path = file(text);
    try {
      read_ncu_csv(path);
      FAIL() << "accepted: " << text;
    } catch (const InputError& error) {
      for (const std::string& fragment : fragments)
        EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find(path), 0u) << error.what();
    }
  }
};

} // namespace ado::bench
