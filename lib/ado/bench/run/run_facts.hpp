// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every format of the record says of a run and of its entries.
#pragma once

#include <ado/bench/run/results.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ado {

/// Where, when and with what build a run took place.
struct RunFacts {
  std::string date; ///< UTC, "2026-01-31T12:00:00Z"
  std::string host, cpu;
  std::string backend, device;
  std::string version, commit, compiler, compiler_flags, build_type;
  std::string kokkos;           ///< the release, "4.7.2"
  std::string nvcc;             ///< empty where none compiled the kernels
  std::string driver, gpu_uuid; ///< of NVIDIA; empty where the device is no GPU, or it is not known
  std::vector<std::string> command_line;
  /// The variables that are set, of OpenMP, its runtimes and Kokkos, and of those that say which GPU or which
  /// kernels of a library: name, value.
  std::vector<std::pair<std::string, std::string>> environment{};
};

RunFacts run_facts(const Device& device, const std::vector<std::string>& command_line);

/// The name of this machine.
std::string host_name();
/// The model name of the processor.
std::string cpu_name();

/// "rows:41/cols:67/type:f64", "rows:41/cols:67/row_padding:3/type:f64".
std::string case_name(const Problem& problem);
/// "kokkos_team", and "/team_size:64" behind it where the row sets what the variant takes.
struct VariantName {
  std::string variant, launch;
};
VariantName variant_name(const RowResult& row, const Measurement& m);

/// The sides of a row that have a variant.
std::vector<const Measurement*> sides(const RowResult& row);

} // namespace ado
