// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variants a command line asks for, side by side with their native twins.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/device/device.hpp>

#include <array>
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
  bool brief = false;    ///< a rung beside the answer: a few runs show where it stands
};

/// The ways to write Kokkos that an answer compares, and what each is.
struct Form {
  std::string_view name, is;
};
inline constexpr std::array<Form, 3> forms{{{"plain", "as Kokkos' guide teaches it"},
                                            {"team", "one source for all backends"},
                                            {"tuned", "kernels for each backend"}}};

/// Whether the row compares one of these with the best by hand.
bool is_answer(const Row& row);

/// The rows of an algorithm that the options ask for, from naive to best. Launch parameters are set where a
/// row takes them; a sweep makes a row into several.
std::vector<Row> rows_of(const Options& options, const Algorithm& algorithm, const Device& device);

/// Whether one side of the row has the property: takes_team_size, takes_league_size, takes_stride.
bool takes(const Row& row, bool Variant::*option);

/// The portable and the native variant, as far as they are there.
std::vector<const Variant*> variants_of(const Row& row);

/// The variants of an algorithm that the options select, of all backends if they name none.
std::vector<const Variant*> selected_variants(const Options& options, const Algorithm& algorithm,
                                              const Device& device);

/// "yax: kokkos/tuned, openmp/team; ..." of what runs on the device.
std::string runnable_variants(const std::vector<const Algorithm*>& algorithms,
                              const Device& device);

/// The team sizes worth a try: powers of two.
std::vector<int> team_sizes_of(const Device& device);

/// "kokkos/tuned", as --reference takes it.
std::string full_name(const Variant& variant);

/// The registered variant, or null. `backend` is that of portable variants.
const Variant* find_variant(std::string_view algorithm, std::string_view model,
                            std::string_view name, std::string_view backend);

} // namespace ado
