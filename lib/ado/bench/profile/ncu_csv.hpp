// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what Nsight Compute writes with --csv --page raw.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ado {

/// One profiled launch.
struct NcuKernel {
  std::string name, grid, block;         ///< as in the file
  std::map<std::string, double> metrics; ///< by their full names; those that have a number

  std::optional<double> metric(const std::string& full) const;
  /// The first of several names that versions of ncu, or sections, give one number.
  std::optional<double> metric(std::initializer_list<const char*> synonyms) const;
};

/// The kernels of the file, in its order. What ncu and the program print around the table is left out.
/// Throws InputError, naming file and line, where it is no such table or has a line that does not fit.
std::vector<NcuKernel> read_ncu_csv(const std::string& path);

} // namespace ado
