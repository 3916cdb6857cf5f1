// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what Nsight Compute writes with --csv --page raw.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ado::bench {

/// One profiled launch.
struct NcuKernel {
  std::string name, grid, block;         ///< as in the file
  std::map<std::string, double> metrics; ///< numeric ones, by their full names

  std::optional<double> metric(const std::string& full) const;
  /// The first that is there: versions and sections of ncu give one number several names.
  std::optional<double> metric(std::initializer_list<const char*> synonyms) const;
};

/// The kernels of the file, in order. Skips what ncu and the program print around the table. Throws
/// InputError, naming file and line, for anything but such a table.
std::vector<NcuKernel> read_ncu_csv(const std::string& path);

} // namespace ado::bench
