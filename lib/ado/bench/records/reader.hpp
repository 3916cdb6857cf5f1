// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what --json wrote. Whatever bytes a file holds, reading gives a record or an InputError.
#pragma once

#include <ado/bench/io/files.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ado::bench {

/// What a record says of one variant in one case.
struct RecordedTimes {
  std::string name;            ///< algorithm/model_variant/sizes/type
  std::vector<double> seconds; ///< above 0; empty if it did not run or was wrong
  std::string failure;         ///< why it has no times
  bool wrong = false;          ///< whether it ran with a wrong result
  /// What its times hold besides the runs: "cold caches, streamed"; usually nothing.
  std::string conditions{};
  /// Each time over that of the native variant that ran in turn with it; empty: none did.
  std::vector<double> over_native{};
  /// What it launched on a GPU: "40 registers, 0 local bytes, 0.75 occupied"; empty: unknown.
  std::string launched{};
  bool is_reference = false; ///< whether it is such a native variant

  void clear_times() {
    seconds.clear();
    over_native.clear();
  }
};

struct RunRecord {
  std::string path, date;
  /// What runs on one machine share, and what runs of one build share: name, value.
  std::vector<std::pair<std::string, std::string>> machine, build;
  std::vector<std::string> warnings;  ///< printed above its table
  std::string unverified;             ///< why nobody vouches for its times; usually empty
  std::vector<RecordedTimes> entries; ///< each name once, in file order
};

RunRecord read_record(const std::string& path);

} // namespace ado::bench
