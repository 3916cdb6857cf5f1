// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what --json wrote. Whatever bytes a file holds, reading it gives a record or an InputError.
#pragma once

#include <ado/bench/io/files.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ado {

/// What a record says of one variant in one case.
struct RecordedTimes {
  std::string name;            ///< algorithm/model_variant/sizes/type
  std::vector<double> seconds; ///< above 0; empty where it did not run or was wrong
  std::string failure;         ///< why it has no times
  bool wrong = false;          ///< whether it ran, and its result was wrong
  /// What its times hold besides the runs themselves: "cold caches, streamed"; mostly nothing.
  std::string conditions{};
  /// Each time over that of the native variant that ran in turn with it; empty where none did.
  std::vector<double> over_native{};
  bool is_reference = false; ///< whether it is such a native variant

  void clear_times() {
    seconds.clear();
    over_native.clear();
  }
};

struct RunRecord {
  std::string path, date;
  /// What two runs on one machine have in common, and what two runs of one build have: name, value.
  std::vector<std::pair<std::string, std::string>> machine, build;
  std::vector<std::string> warnings;  ///< what stood above its table
  std::string unverified;             ///< why it has times that nobody vouches for; mostly empty
  std::vector<RecordedTimes> entries; ///< a name once, in the order of the file
};

RunRecord read_record(const std::string& path);

} // namespace ado
