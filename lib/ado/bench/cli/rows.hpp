// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variants that a command line asks for, side by side with their native twins.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/device/device.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// A row of the report: a portable variant and its native twin, or one of the two alone.
struct Row {
  std::string name;
  const Variant* portable = nullptr;
  const Variant* native = nullptr;
  Launch launch{};       ///< set by --team-size, --league-size and --stride
  bool in_sweep = false; ///< part of a sweep: a size that does not fit is no error
  bool brief = false;    ///< a rung beside the answer: only a few runs
};

/// A way to write Kokkos; the answer compares all three.
struct Form {
  std::string_view name, is;
};
inline constexpr std::array<Form, 3> forms{{{"plain", "as Kokkos' guide teaches it"},
                                            {"team", "one source for all backends"},
                                            {"tuned", "kernels for each backend"}}};

/// Whether the variant is one of these forms.
bool is_form(const Variant& portable);
/// Whether a variant can run on the device at all.
bool runs_on(const Variant& variant, const Device& device);
/// Whether the row compares one of these forms with the best by hand.
bool is_answer(const Row& row);

/// The rows of an algorithm that the options select, from naive to best. Launch parameters are set
/// in rows that take them; a sweep turns one row into several.
std::vector<Row> rows_of(const Options& options, const Algorithm& algorithm, const Device& device);

/// Whether a side of the row has the property: takes_team_size, takes_league_size, takes_stride.
bool takes(const Row& row, bool Variant::*option);

/// The portable and the native variant, if the row has them.
std::vector<const Variant*> variants_of(const Row& row);

/// The variants of an algorithm that the options select, of all backends unless they name one.
std::vector<const Variant*> selected_variants(const Options& options, const Algorithm& algorithm,
                                              const Device& device);

/// What runs on the device: "yax: kokkos/tuned, openmp/team; ...".
std::string runnable_variants(const std::vector<const Algorithm*>& algorithms,
                              const Device& device);

/// Team sizes worth trying: powers of two.
std::vector<int> team_sizes_of(const Device& device);

/// "kokkos/tuned", as --reference takes it.
std::string full_name(const Variant& variant);

/// The registered variant on that backend or on the host, or null.
const Variant* find_variant(std::string_view algorithm, std::string_view model,
                            std::string_view name, std::string_view backend);

} // namespace ado::bench
