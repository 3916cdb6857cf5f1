// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cases a command line asks for.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/data/workbench.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// A row of the report: a portable variant and its native twin, or one of them alone.
struct Row {
  std::string name;
  const Variant* portable = nullptr;
  const Variant* native = nullptr;
  Launch launch{};       ///< what --team-size, --league-size and --stride set
  bool in_sweep = false; ///< one of a sweep: a size that does not fit is no mistake
};

/// One problem and its rows.
struct Case {
  Problem problem;
  InputFiles files;
  std::vector<Row> rows;
};

/// The cases, in the order of the options; an algorithm that has no swept size has one a type. Throws
/// UsageError or InputError where options contradict each other or files, InvalidArgument where sizes
/// overflow.
std::vector<Case> plan_cases(const Options& options, const Device& device);

/// The algorithms that the options select; average_mv, transpose and yax where they name none.
using Algorithms = std::vector<const Algorithm*>;
Algorithms selected_algorithms(const Options& options);

/// Its variants that the options select, of all backends where they name none.
std::vector<const Variant*> selected_variants(const Options& options, const Algorithm& algorithm,
                                              const Device& device);

/// Those of all rows; twins of several rows more than once.
std::vector<const Variant*> variants_of(const Row& row);
std::vector<const Variant*> variants_of(const Case& c);

/// Rows of all cases.
std::size_t row_count(const std::vector<Case>& cases);

/// Sizes where none are given: on a GPU the classic ones where they fit, else a largest array of 64
/// MiB a thread (that takes each about 10 ms), at most 1 GiB, but at least four times the last-level
/// cache, with sides that are multiples of 64. Nothing measured goes in: a machine always gets the
/// same sizes.
Shape default_shape(const Algorithm& algorithm, Type type, const Device& device);

/// The team sizes worth a try: powers of two.
std::vector<int> team_sizes_of(const Device& device);

/// "kokkos/team", as --reference takes it.
std::string full_name(const Variant& variant);

/// The registered variant, or null. `backend` is that of portable variants.
const Variant* find_variant(std::string_view algorithm, std::string_view model,
                            std::string_view name, std::string_view backend);

} // namespace ado
