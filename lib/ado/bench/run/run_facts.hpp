// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every format of the record says of a run and its entries.
#pragma once

#include <ado/bench/run/results.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ado::bench {

/// Where, when and with which build a run took place.
struct RunFacts {
  std::string date; ///< UTC, "2026-01-31T12:00:00Z"
  std::string host, cpu;
  std::string backend, device;
  std::string version, commit, compiler, compiler_flags, build_type;
  std::string kokkos;           ///< the release, "4.7.2"
  std::string nvcc;             ///< empty: none compiled the kernels
  std::string driver, gpu_uuid; ///< NVIDIA's; empty: no GPU, or unknown
  std::vector<std::string> command_line;
  /// The environment variables set for OpenMP, its runtimes and Kokkos, and those that choose the
  /// GPU or a library's kernels or bring a profiler in: name, value.
  std::vector<std::pair<std::string, std::string>> environment{};
};

RunFacts run_facts(const Device& device, const std::vector<std::string>& command_line);

/// The name of this machine.
std::string host_name();
/// The model name of the processor.
std::string cpu_name();

/// "rows:41/cols:67/type:f64", "rows:41/cols:67/row_padding:3/type:f64".
std::string case_name(const Problem& problem);
/// "kokkos_team", followed by "/team_size:64" if the row sets what the variant takes.
struct VariantName {
  std::string variant, launch;
};
VariantName variant_name(const RowResult& row, const Measurement& m);

/// The sides of a row that have a variant.
std::vector<const Measurement*> sides(const RowResult& row);

} // namespace ado::bench
