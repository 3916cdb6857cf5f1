// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, exercise_padding: b[j][i] = a[i][j]. Lesson 4
//   mapping   as `tiled`
//   scratch   the tile, 32 x (32 + padding) elements
//   bytes     reads a once, writes b once
//   teaches   one number decides how many passes over the 32 banks a column takes
// Your part: that number. --diagnose-all predicts the passes on any machine; f32 and f64 both
// count.
//   hint 1    element (i, j) of 4 bytes lies in bank (i * (32 + padding) + j) % 32. Neighbouring
//             lanes have neighbouring i
//   hint 2    elements of 8 bytes take two banks each, so at best 16 lanes go at a time: 2 passes
//   hint 3    try --type f32,f64 and paddings of 0, 1, 2 and 16 before you think about it
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>
#include <ado/transpose/kokkos/tiled.hpp>

namespace ado::bench {

// yours: begin
constexpr int exercise_padding = 0;
// yours: end

struct ExercisePaddingVariant {
  static constexpr std::string_view algorithm = "transpose", name = "exercise_padding";
  static constexpr std::string_view summary = "lesson 4: which padding leaves no bank conflict";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::tiled(s, type, 8, exercise_padding);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_tiled<exercise_padding>("ado::transpose[exercise_padding]", exec, call);
  }
};
const PortableVariant<ExercisePaddingVariant> exercise_padding_registered{__FILE__};

} // namespace ado::bench
