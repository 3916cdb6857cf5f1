// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ado/bench/cli/options.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace ado::bench {

/// `work` must throw a UsageError whose message holds every fragment.
inline void expect_refused(const std::function<void()>& work,
                           const std::vector<std::string>& fragments) {
  try {
    work();
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& error) {
    for (const std::string& fragment : fragments)
      EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos)
          << "missing: " << fragment << "\nin: " << error.what();
  }
}

} // namespace ado::bench
